// hearth recreate: a run trained again, and its bits compared.
#include "hearth/train/recreate.h"

#include <nlohmann/json.hpp>

#include <cstdlib>

#include "cli/engine/engine.h"
#include "cli/engine/interrupt.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/cluster/group.h"
#include "hearth/cluster/join.h"
#include "hearth/format/json.h"

namespace hearth::cli {
namespace {

// Removes what it made, unless it is worth a look.
class TrialFolder {
 public:
  explicit TrialFolder(const std::string& asked) : path_(asked), is_own_(asked.empty()) {
    if (!is_own_) return;
    std::string name = (fs::temp_directory_path() / "hearth-recreate-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw DataError("cannot make a folder in " + fs::temp_directory_path().string() +
                      ". Say where to train with --folder.");
    path_ = name;
  }
  TrialFolder(const TrialFolder&) = delete;
  TrialFolder& operator=(const TrialFolder&) = delete;
  ~TrialFolder() {
    std::error_code ignored;
    if (is_own_) fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }
  void keep() { is_own_ = false; }

 private:
  fs::path path_;
  bool is_own_;
};

void show(const Recreation& made) {
  const RunComparison& found = made.comparison;
  for (const std::string& change : made.changes)
    print_note("the run was changed on its way, " + change +
               "; it is trained with its last config from the start.");
  print_page(found.text());
  print(found.is_equal() ? "the run was recreated: every bit that both folders hold is the same.\n"
                         : "the bits are not the same.\n");
  if (found.is_equal()) return;
  print("trained again in " + made.run_folder + "\n");
}

int say_whether_equal(const RecreateArguments& arguments, const Recreation& made,
                      TrialFolder& folder) {
  if (!made.comparison.is_equal()) folder.keep();
  if (arguments.is_json) {
    Json json = made.comparison.to_json();
    json["changes"] = made.changes;
    if (!made.comparison.is_equal() || !arguments.folder.empty()) json["run"] = made.run_folder;
    print(json_line(json));
  } else {
    show(made);
    if (!made.comparison.is_equal())
      say_next("hearth bisect " + shell_word(arguments.run) + " " + shell_word(made.run_folder));
  }
  return made.comparison.is_equal() ? 0 : 1;
}

}  // namespace

extern "C" int hearth_command_recreate(const void* given) {
  const auto& arguments = *static_cast<const RecreateArguments*>(given);
  EstimatorSettings settings;
  if (!arguments.is_quiet && !arguments.is_json) settings.on_progress = console_progress();
  settings.on_notice = [](const std::string& text) { print_note(text); };
  settings.interrupt = &heed_signals();
  TrialFolder folder(arguments.folder);
  const Recreation made = recreate(arguments.run, folder.path(), std::move(settings));
  if (heed_signals()) {
    print_note("stopped before the end; nothing was proven.");
    return interrupted_exit_code();
  }
  const std::shared_ptr<Group> group = own_group();
  if (!group->is_first()) {
    group->leave();
    return 0;
  }
  const int code = say_whether_equal(arguments, made, folder);
  group->leave();
  return code;
}

}  // namespace hearth::cli
