// Writes what a run logs as TensorBoard's event files: scalars, histograms, pictures, tables as
// text, the layers as a graph, the options as hparams. A file is begun for each process that trains
// the run and says all of the log again, after a mark that voids earlier files; then those go. So
// nothing has to be known of what a killed process wrote, or of what a resume cut off the log.
#include "hearth/tracking/trackers/tensorboard.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <deque>
#include <nlohmann/json.hpp>

#include "hearth/base/clock.h"
#include "hearth/base/error.h"
#include "hearth/base/letters.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/config/yaml.h"
#include "hearth/format/csv.h"
#include "hearth/format/tfrecord.h"
#include "hearth/tracking/growing_file.h"
#include "hearth/tracking/histograms.h"
#include "hearth/tracking/markdown.h"
#include "hearth/tracking/projector.h"
#include "hearth/tracking/series_name.h"
#include "hearth/tracking/summary.h"

namespace hearth::trackers {
namespace {

constexpr size_t kMostFilesWaiting = 1000;
constexpr uint64_t kMostFileBytes = 16 << 20;
constexpr const char* kFileStart = "events.out.tfevents.";
constexpr const char* kFileEnd = ".hearth";

bool is_event_file(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with(kFileStart) && name.ends_with(kFileEnd);
}

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "localhost";
  return name.data();
}

// Files are read in the order of their names, so that a new one must come last.
fs::path next_file(const fs::path& folder) {
  auto seconds = static_cast<int64_t>(unix_seconds());
  for (const fs::path& path : list_folder(folder))
    if (is_event_file(path)) {
      const std::string behind = path.filename().string().substr(std::string(kFileStart).size());
      const auto before = read_integer(behind.substr(0, behind.find('.')));
      seconds = std::max(seconds, before.value_or(0) + 1);
    }
  std::array<char, 32> digits{};
  (void)std::snprintf(digits.data(), digits.size(), "%010lld", static_cast<long long>(seconds));
  return folder / (kFileStart + std::string(digits.data()) + "." + host_name() + kFileEnd);
}

std::string as_code(const std::string& text) {
  std::string code;
  for (const std::string& line : split(text, '\n')) code += "    " + line + "\n";
  return code;
}

std::string table_of_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  for (const CsvRow& row : parse_csv(text, "table")) rows.push_back(row.fields);
  return markdown_table(rows);
}

class Tensorboard : public Tracker {
 public:
  using Options = TensorboardOptions;
  explicit Tensorboard(Options options) : options_(std::move(options)) {}

  void begin(const fs::path& run) override {
    run_ = run;
    waiting_.clear();
    projector_ = {};
    pointed_.clear();
    const fs::path folder =
        options_.folder.empty() ? run / "tensorboard" : fs::path(options_.folder) / run_name(run);
    make_folder(folder);
    file_ = GrowingFile(next_file(folder));
    const double now = unix_seconds();
    put(file_version_event(now));
    put(session_start_event({now, 0}));
    const Node config = run_config(run);
    put(summary_event({now, 0}, std::array{session_start_summary(plain_options(config), now),
                                           text_summary("config", as_code(to_yaml(config)))}));
    if (const auto layers = layer_facts(run); !layers.empty()) put(graph_event(layers, now));
    file_.flush();
    is_alone_ = false;
    ended_at_ = 0;
  }

  void take(const Event& event) override {
    projector_.take(event);
    std::vector<SummaryValue> values;
    for (const auto& [name, value] : event.values)
      values.push_back(scalar_summary(series_name(event.kind, name), value));
    for (const auto& [name, histogram] : histograms_of(event))
      values.push_back(histogram_summary(name, histogram));
    if (event.kind == "table" || event.kind == "image") add_named(event, values);
    if (!values.empty()) put(summary_event({event.time, event.step}, values));
    file_.flush_when_much_waits();
  }

  // All of the log is in this file by now: earlier ones say nothing more.
  void flush() override {
    take_files();
    file_.flush();
    point_to_vectors();
    if (std::exchange(is_alone_, true)) return;
    for (const fs::path& path : list_folder(file_.path().parent_path()))
      if (is_event_file(path) && path.filename() < file_.path().filename()) fs::remove(path);
  }

  void settle() override {
    flush();
    const RunState state = run_state(run_);
    const bool has_ended =
        state.kind == "end" || state.kind == "diverged" || state.kind == "failed";
    if (has_ended && std::exchange(ended_at_, state.time) != state.time)
      put(summary_event({state.time, 0},
                        std::array{session_end_summary(state.kind == "end", state.time)}));
    file_.sync();
  }

 private:
  struct WaitingFile {
    std::string kind;
    std::string tag;
    fs::path path;
    SummaryMoment moment;
  };

  void put(const std::string& event) { file_.add(tfrecord_of(event)); }

  void add_named(const Event& event, std::vector<SummaryValue>& values) {
    const std::string name = text_at(event.details, "name");
    if (const std::string file = text_at(event.details, "file"); !file.empty())
      waiting_.push_back({event.kind, name, run_ / file, {event.time, event.step}});
    else if (const auto rows = table_rows(event.details); !rows.empty())
      values.push_back(text_summary(name, markdown_table(rows)));
    if (waiting_.size() > kMostFilesWaiting) waiting_.pop_front();
  }

  // Beside the events, where the projector looks for it.
  void point_to_vectors() {
    if (projector_.is_empty()) return;
    const fs::path folder = file_.path().parent_path();
    std::string text = projector_.text(run_, folder);
    if (text == pointed_) return;
    write_file_durably(folder / "projector_config.pbtxt", text);
    pointed_ = std::move(text);
  }

  // Files are written beside the log, and may come a little later than the event that names them.
  void take_files() {
    std::deque<WaitingFile> still_waiting;
    for (WaitingFile& waiting : waiting_) {
      if (!is_there(waiting.path)) {
        still_waiting.push_back(std::move(waiting));
        continue;
      }
      put(summary_event(waiting.moment, std::array{file_summary(waiting)}));
    }
    waiting_ = std::move(still_waiting);
  }

  // One that is damaged must not cost all others.
  [[nodiscard]] static SummaryValue file_summary(const WaitingFile& file) {
    try {
      const std::string content = read_file(file.path, kMostFileBytes);
      return file.kind == "image" ? image_summary(file.tag, content)
                                  : text_summary(file.tag, table_of_csv(content));
    } catch (const DataError& error) {
      return text_summary(file.tag, as_code(visible(error.what())));
    }
  }

  Options options_;
  fs::path run_;
  GrowingFile file_;
  std::deque<WaitingFile> waiting_;
  ProjectorConfig projector_;
  std::string pointed_;    // what its file says
  bool is_alone_ = false;  // no earlier file is left
  double ended_at_ = 0;    // as this file says; 0 before it does
};

}  // namespace

const Schema<TensorboardOptions>& TensorboardOptions::schema() {
  using O = TensorboardOptions;
  static const auto schema = Schema<O>().field(
      &O::folder, "folder",
      "Where the files go, relative to the folder you work in, each run in a folder of its own "
      "name. Left out: `tensorboard` in "
      "the run's folder, so that `tensorboard --logdir runs` shows all runs.");
  return schema;
}

Choice<Tracker> tensorboard(TensorboardOptions options) {
  return choose<Tracker>("tensorboard", options);
}

void register_tensorboard(Registry<Tracker>& registry) {
  registry.add<Tensorboard>("tensorboard",
                            "Event files for TensorBoard: scalars, histograms, pictures, tables, "
                            "the network's graph, hparams.");
}

}  // namespace hearth::trackers
