// hearth log: what a run has measured so far, also while it trains.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/command.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/core/log_reader.h"
#include "hearth/format/json.h"
#include "hearth/tracking/event_row.h"
#include "hearth/tracking/log_follower.h"
#include "hearth/tracking/run_watch.h"
#include "hearth/tracking/trackers/csv.h"
#include "hearth/tracking/trackers/tensorboard.h"

namespace hearth::cli {
namespace {

constexpr auto kLook = std::chrono::milliseconds(200);

std::string json_of(const LogNews& news) {
  nlohmann::ordered_json json;
  if (const auto* cut = std::get_if<LogCut>(&news))
    json = {{"event", "cut"}, {"step", cut->step}, {"events", cut->events}};
  else
    json = nlohmann::ordered_json::parse(to_line(std::get<Event>(news)));
  std::string line = json_line(json);
  line.pop_back();
  return line;
}

class LogCommand : public Command {
 public:
  LogCommand()
      : Command({"log",
                 "Use",
                 "Shows what a run has measured, also while it trains.",
                 "RUN",
                 {"hearth log runs/digits-1", "hearth log runs/digits-1 --follow",
                  "hearth log runs/digits-1 --steps --json",
                  "hearth log runs/digits-1 --tensorboard board --csv digits.csv"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("RUN", run_, "The run's folder.")->required();
    app.add_flag(
        "--follow", follows_,
        "Goes on until the run ends, its process is gone, or Ctrl-C; with --json, a line for each "
        "event.");
    app.add_flag("--steps", has_steps_, "Logged steps too, not only epochs.");
    app.add_option("--tensorboard", tensorboard_,
                   "Writes event files for TensorBoard into a folder of the run's name in FOLDER, "
                   "and shows nothing.")
        ->type_name("FOLDER");
    app.add_option("--csv", csv_, "Writes all numbers as a table, and shows nothing.")
        ->type_name("FILE");
  }

  int run() override {
    const fs::path path = fs::path(run_) / "log.jsonl";
    if (!is_there(path))
      throw DataError(path.string() +
                      " is not there. Name the folder of a run, such as runs/digits-1.");
    if (!tensorboard_.empty() || !csv_.empty()) return convert();
    LogReader log(path);
    if (is_json() && !follows_) print("{\"run\":" + json_of_text(run_) + ",\"events\":[");
    RunWatch watch{fs::path(run_)};
    RunPhase state = RunPhase::kTraining;
    for (bool is_last = false; !is_last;) {
      // Before the log: what it has then is all.
      if (follows_) state = watch.look();
      is_last = !follows_ || state != RunPhase::kTraining;
      for (LogNews news = log.next(); news.index() != 0; news = log.next()) show(news);
      if (!is_last) std::this_thread::sleep_for(kLook);
    }
    if (is_json() && !follows_) print("]}\n");
    if (state == RunPhase::kGone) print_note(gone_text(run_));
    return 0;
  }

 private:
  int convert() const {
    if (follows_ || has_steps_)
      throw ConfigError(
          "--tensorboard and --csv write all that is there now; leave out --follow and --steps. "
          "To have it while the run trains: train.trackers=[tensorboard, csv]");
    if (!tensorboard_.empty())
      track_log(run_, *registry<Tracker>().make(trackers::tensorboard({.folder = tensorboard_})));
    if (!csv_.empty()) track_log(run_, *registry<Tracker>().make(trackers::csv({.file = csv_})));
    if (is_json())
      print(json_line(nlohmann::json{{"run", run_}, {"tensorboard", tensorboard_}, {"csv", csv_}}));
    if (!is_json() && !tensorboard_.empty())
      say_next("tensorboard --logdir " + shell_word(tensorboard_));
    return 0;
  }

  static std::string json_of_text(const std::string& text) {
    std::string line = json_line(nlohmann::json(text));
    line.pop_back();
    return line;
  }

  void show(const LogNews& news) {
    const auto* event = std::get_if<Event>(&news);
    if (event != nullptr && event->kind == "step" && !has_steps_) return;
    if (is_json()) {
      print((follows_ || shown_++ == 0 ? "" : ",") + json_of(news) + (follows_ ? "\n" : ""));
    } else if (event != nullptr) {
      if (const std::string row = event_row(*event); !row.empty()) print_page(row);
    } else {
      print_note("the run was resumed after step " +
                 std::to_string(std::max<int64_t>(std::get<LogCut>(news).step, 0)) +
                 "; what came later is void.");
    }
  }

  std::string run_;
  std::string tensorboard_;
  std::string csv_;
  bool follows_ = false;
  bool has_steps_ = false;
  int64_t shown_ = 0;
};

}  // namespace

void register_log(Commands& commands) { commands.add(std::make_unique<LogCommand>()); }

}  // namespace hearth::cli
