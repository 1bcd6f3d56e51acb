// hearth train: trains an experiment, or goes on with a run.
#include <nlohmann/json.hpp>

#include "cli/engine/engine.h"
#include "cli/engine/interrupt.h"
#include "cli/engine/less_data.h"
#include "hearth/base/files.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/cluster/group.h"
#include "hearth/cluster/join.h"
#include "hearth/format/json.h"
#include "hearth/train/check_report.h"
#include "hearth/train/checkpoint.h"
#include "hearth/train/run_config.h"
#include "hearth/train/run_origin.h"
#include "hearth/train/traces/progress.h"

namespace hearth::cli {
namespace {

EstimatorSettings settings_for(const TrainArguments& arguments, const std::string& as_written) {
  EstimatorSettings settings;
  if (!arguments.is_quiet && !arguments.is_json) settings.on_progress = console_progress();
  settings.on_notice = [](const std::string& text) { print_note(text); };
  settings.on_warning = [](const std::string& text) { print_warning(text); };
  settings.interrupt = &heed_signals();
  settings.as_written = as_written;
  settings.accepts_changes = arguments.accepts_changes;
  settings.allows_commands = arguments.allows_commands;
  settings.detects_anomalies = arguments.detects_anomalies;
  settings.keeps_run = !arguments.trial_batches;
  return settings;
}

fs::path run_to_resume(const TrainArguments& arguments) {
  return arguments.resume->empty() ? RunFolder::newest("runs").path() : fs::path(*arguments.resume);
}

void with_progress(Node& config) {
  config.find("train")->find("traces")->items().push_back(traces::progress().node());
}

Estimator estimator_for(const TrainArguments& arguments) {
  if (arguments.resume)
    return Estimator::resume(run_to_resume(arguments), settings_for(arguments, ""),
                             arguments.overrides);
  EngineExperiment experiment = load_for_engine(arguments);
  if (arguments.has_less_data()) use_less_data(arguments, experiment.loaded.effective);
  // A run without a progress trace of its own still shows progress.
  const auto& traces = experiment.options.train.traces;
  if (std::none_of(traces.begin(), traces.end(),
                   [](const auto& trace) { return trace.name() == "progress"; }))
    with_progress(experiment.loaded.effective);
  return Estimator(experiment.loaded.effective,
                   settings_for(arguments, experiment.loaded.as_written));
}

std::vector<std::string> next_commands(const TrainArguments& arguments, const Report& report,
                                       const Estimator& estimator) {
  const std::string& run = report.run_folder;
  if (run.empty()) return {"hearth train " + arguments.words()};
  if (report.was_interrupted) return {"hearth train --resume " + shell_word(run)};
  const bool was_evaluated = std::any_of(
      report.metrics.begin(), report.metrics.end(),
      [](const auto& metric) { return std::string_view(metric.first).starts_with("eval"); });
  std::vector<std::string> commands = {
      "hearth evaluate " + shell_word(run) + (was_evaluated ? "" : " --mode train"),
      "hearth export " + shell_word(run) + " model"};
  if (estimator.can_predict())
    commands.insert(commands.begin(), "hearth predict " + shell_word(run) + " --sample 7");
  return commands;
}

void print_end(const TrainArguments& arguments, const Report& report, const Estimator& estimator) {
  print((report.was_interrupted ? "stopped after " : "done after ") +
        std::to_string(report.epochs) + " epochs, " + std::to_string(report.steps) + " steps, " +
        human_seconds(report.seconds) + "\n");
  if (!report.stop_reason.empty()) print("stopped early: " + report.stop_reason + "\n");
  print(metric_lines(report) + row_of("weights", estimator.weights_digest().substr(0, 16)) +
        row_of("run", report.run_folder.empty() ? "none was kept" : report.run_folder));
  if (report.peak_memory_bytes > 0)
    print(row_of("memory", human_bytes(report.peak_memory_bytes) + " of tensors at most"));
  if (report.sent_bytes > 0)
    print(row_of("sent", human_bytes(report.sent_bytes) + " to the other processes, by the first"));
  say_next(next_commands(arguments, report, estimator));
}

// Where a run would go on, and with what; locks and tidies nothing.
int dry_resume(const TrainArguments& arguments) {
  const RunToResume run = RunToResume::open(run_to_resume(arguments), arguments.overrides);
  std::vector<std::string> changes = run.changes;
  const auto found = CheckpointFolder(run.folder.checkpoints()).newest([&](const State& state) {
    const std::vector<std::string> unexpected = unexpected_changes(run.folder, state);
    if (!unexpected.empty() && !arguments.accepts_changes) refuse_changes(run.folder, unexpected);
    changes.insert(changes.end(), unexpected.begin(), unexpected.end());
  });
  const CheckReport report =
      check_experiment(ExperimentOptions::schema().read(run.config), run.config);
  const std::string start = found ? found->path.filename().string() : "";
  if (arguments.is_json) {
    Json json = report.to_json();
    json["changes"] = changes;
    json["checkpoint"] = start;
    print(json_line(json));
    return 0;
  }
  std::string text = report.text() + "\n";
  for (const std::string& change : changes) text += "change: " + change + "\n";
  print_page(text + "it would go on " + (found ? "from " + start : "at the first step") + " of " +
             run.folder.path().string() +
             ".\ndry run: nothing was trained and nothing was written.\n");
  return 0;
}

int dry_run(const TrainArguments& arguments) {
  if (arguments.resume) return dry_resume(arguments);
  const EngineExperiment experiment = load_for_engine(arguments);
  const CheckReport report = check_experiment(experiment.options, experiment.loaded.effective);
  if (arguments.is_json)
    print(json_line(report.to_json()));
  else
    print_page(report.text());
  for (const std::string& warning : report.warnings) print_warning(warning);
  if (!arguments.is_json) print("\ndry run: nothing was trained and nothing was written.\n");
  return 0;
}

void show_profile(const ProfileReport& report, const TrainArguments& arguments) {
  if (!arguments.chrome_trace.empty())
    write_file_durably(arguments.chrome_trace, report.chrome_trace);
  if (arguments.is_json) return print(json_line(report.to_json()));
  print_page(report.text() + "\nnothing was kept" +
             (arguments.chrome_trace.empty() ? "" : " but " + arguments.chrome_trace) + ".\n");
  say_next("hearth train " + arguments.words());
}

int profile(const TrainArguments& arguments) {
  const EngineExperiment experiment = load_for_engine(arguments);
  EstimatorSettings settings = settings_for(arguments, "");
  settings.keeps_run = false;
  Estimator estimator(experiment.loaded.effective, std::move(settings));
  const ProfileReport report = estimator.profile(*arguments.profile_steps);
  const std::shared_ptr<Group> group = own_group();
  if (group->is_first()) show_profile(report, arguments);
  group->leave();
  return heed_signals() ? interrupted_exit_code() : 0;
}

}  // namespace

extern "C" int hearth_command_train(const void* given) {
  const auto& arguments = *static_cast<const TrainArguments*>(given);
  if (arguments.is_dry_run) return dry_run(arguments);
  (void)heed_signals();
  if (arguments.profile_steps) return profile(arguments);
  Estimator estimator = estimator_for(arguments);
  const Report report = estimator.fit();
  const std::shared_ptr<Group> group = own_group();
  const std::string state_digest = arguments.is_json ? estimator.state_digest() : "";
  if (!group->is_first()) {
    // The first speaks for all.
  } else if (arguments.is_json) {
    Json json = report_json(report);
    json["weights_sha256"] = estimator.weights_digest();
    json["state_sha256"] = state_digest;
    print(json_line(json));
  } else {
    print_end(arguments, report, estimator);
  }
  group->leave();
  return report.was_interrupted ? resumable_exit_code() : 0;
}

}  // namespace hearth::cli
