// hearth ckpt prune: removes old checkpoints, never the last good one.
#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/flag_checks.h"
#include "hearth/base/error.h"
#include "hearth/base/letters.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/core/checkpoint_facts.h"
#include "hearth/format/checkpoint_names.h"
#include "hearth/format/json.h"

namespace hearth::cli {
namespace {

struct Pruning {
  std::vector<fs::path> removed;
  std::vector<fs::path> kept;
  uint64_t freed_bytes = 0;
};

// Only what verifies counts as kept: a damaged newest one must not cost the good one behind it.
Pruning pruning_of(const fs::path& folder, int64_t keep, bool also_damaged) {
  Pruning pruning;
  int64_t good = 0;
  for (const fs::path& path : step_checkpoints(folder)) {
    show_passing({"reading " + path.string()});
    const bool is_wanted = good < keep;
    const bool is_whole = is_wanted && checkpoint_fault(path).empty();
    good += is_whole ? 1 : 0;
    const bool stays = is_wanted && (is_whole || !also_damaged);
    (stays ? pruning.kept : pruning.removed).push_back(path);
  }
  if (good == 0 && !pruning.kept.empty())
    throw DataError("no checkpoint of a step in " + folder.string() +
                    " is whole; nothing is removed. `hearth ckpt verify` says what is wrong.");
  if (good == 0) pruning.removed.clear();
  for (const fs::path& path : pruning.removed) pruning.freed_bytes += fs::file_size(path);
  return pruning;
}

class CheckpointPruneCommand : public Command {
 public:
  CheckpointPruneCommand()
      : Command({"ckpt prune",
                 "Use",
                 "Removes a run's older checkpoints of steps; the newest whole ones and those with "
                 "a name stay.",
                 "RUN",
                 {"hearth ckpt prune runs/digits-1", "hearth ckpt prune runs/digits-1 --keep 1",
                  "hearth ckpt prune runs/digits-1 --damaged --dry-run"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("RUN", run_, "The run's folder. A run that trains is refused.")->required();
    app.add_option("--keep", keep_, "Whole checkpoints to keep; 2 if left out.")
        ->check(whole_number_from(1))
        ->type_name("N");
    app.add_flag("--damaged", also_damaged_, "Removes damaged ones too, also newer ones.");
    app.add_flag("--dry-run", is_dry_run_, "Says what would be removed, and removes nothing.");
  }

  int run() override {
    (void)checkpoints_of(run_);  // refuses what is no run
    const fs::path folder = fs::path(run_) / "checkpoints";
    std::optional<FolderLock> lock;
    if (!is_dry_run_) lock.emplace(run_);
    const Pruning pruning = pruning_of(folder, keep_, also_damaged_);
    if (!is_dry_run_) remove(pruning, folder);
    if (is_json())
      print(json_line(json_of(pruning)));
    else
      show(pruning);
    return 0;
  }

 private:
  static void remove(const Pruning& pruning, const fs::path& folder) {
    for (const fs::path& path : pruning.removed) {
      std::error_code code;
      if (!fs::remove(path, code) && code)
        throw DataError("cannot remove " + path.string() + ": " + code.message() + ".");
    }
    remove_stale_drafts(folder);
    sync_folder(folder);
  }

  [[nodiscard]] nlohmann::ordered_json json_of(const Pruning& pruning) const {
    const auto names = [](const std::vector<fs::path>& paths) {
      nlohmann::ordered_json list = nlohmann::ordered_json::array();
      for (const fs::path& path : paths) list.push_back(path.stem().string());
      return list;
    };
    return {{"removed", names(pruning.removed)},
            {"kept", names(pruning.kept)},
            {"freed_bytes", pruning.freed_bytes},
            {"is_dry_run", is_dry_run_}};
  }

  void show(const Pruning& pruning) const {
    const std::string verb = is_dry_run_ ? "would be removed" : "removed";
    for (const fs::path& path : pruning.removed)
      print("  " + visible(path.stem().string()) + ": " + verb + "\n");
    print(human_count(pruning.removed.size()) + " " + verb + ", " +
          human_bytes(pruning.freed_bytes) + "; " + human_count(pruning.kept.size()) +
          " of steps stay.\n");
  }

  std::string run_;
  int64_t keep_ = 2;
  bool also_damaged_ = false;
  bool is_dry_run_ = false;
};

}  // namespace

void register_ckpt_prune(Commands& commands) {
  commands.add(std::make_unique<CheckpointPruneCommand>());
}

}  // namespace hearth::cli
