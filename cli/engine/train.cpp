// hearth train: trains an experiment, or goes on with a run.
#include <csignal>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/engine/engine.h"
#include "hearth/base/text.h"
#include "hearth/train/check_report.h"
#include "hearth/train/run_folder.h"

namespace hearth::cli {
namespace {

constexpr int kInterruptedExitCode = 130;

std::atomic<bool> interrupt_requested{false};

// The first Ctrl-C asks for a checkpoint and a clean end; the second ends at once.
void on_signal(int signal) {
  if (interrupt_requested.exchange(true)) std::_Exit(128 + signal);
}

EstimatorSettings settings_for(const TrainArguments& arguments, const std::string& as_written) {
  EstimatorSettings settings;
  if (!arguments.is_quiet && !arguments.is_json) settings.on_progress = console_progress();
  settings.on_notice = [](const std::string& text) {
    std::fprintf(stderr, "note: %s\n", text.c_str());
  };
  settings.interrupt = &interrupt_requested;
  settings.as_written = as_written;
  return settings;
}

Estimator estimator_for(const TrainArguments& arguments) {
  if (arguments.resume) {
    const fs::path run =
        arguments.resume->empty() ? RunFolder::newest("runs").path() : fs::path(*arguments.resume);
    return Estimator::resume(run, settings_for(arguments, ""), arguments.overrides);
  }
  EngineExperiment experiment = load_for_engine(arguments);
  // A run without a progress trace of its own still shows progress.
  const auto& traces = experiment.options.train.traces;
  if (std::none_of(traces.begin(), traces.end(),
                   [](const auto& trace) { return trace.name() == "progress"; }))
    experiment.options.train.traces.push_back({"progress", Node::map()});
  return Estimator(experiment.options, settings_for(arguments, experiment.loaded.as_written));
}

void print_end(const Report& report, const Estimator& estimator) {
  std::printf("%s after %lld epochs, %lld steps, %s\n", report.was_interrupted ? "stopped" : "done",
              static_cast<long long>(report.epochs), static_cast<long long>(report.steps),
              human_seconds(report.seconds).c_str());
  if (!report.stop_reason.empty()) std::printf("stopped early: %s\n", report.stop_reason.c_str());
  std::printf("%s  %-20s %s\n  %-20s %s\n", metric_lines(report).c_str(), "weights",
              estimator.weights_digest().substr(0, 16).c_str(), "run", report.run_folder.c_str());
  if (report.peak_memory_bytes > 0)
    std::printf("  %-20s %s of tensors at most\n", "memory",
                human_bytes(report.peak_memory_bytes).c_str());
  const char* run = report.run_folder.c_str();
  if (report.was_interrupted) {
    std::printf("\ngo on with:\n  hearth train --resume %s\n", run);
    return;
  }
  std::printf("\nnext:\n");
  if (estimator.can_predict()) std::printf("  hearth predict %s --sample 7\n", run);
  std::printf("  hearth evaluate %s\n  hearth export %s model\n", run, run);
}

int dry_run(const TrainArguments& arguments) {
  const EngineExperiment experiment = load_for_engine(arguments);
  const CheckReport report = check_experiment(experiment.options);
  std::printf("%s\ndry run: nothing was trained and nothing was written.\n", report.text().c_str());
  return 0;
}

int profile(const TrainArguments& arguments) {
  const EngineExperiment experiment = load_for_engine(arguments);
  EstimatorSettings settings = settings_for(arguments, "");
  settings.keeps_run = false;
  Estimator estimator(experiment.options, std::move(settings));
  const ProfileReport report = estimator.profile(*arguments.profile_steps);
  if (arguments.is_json)
    std::printf("%s\n", report.to_json().dump().c_str());
  else
    std::printf("%s\nnothing was kept. next:\n  hearth train %s\n", report.text().c_str(),
                join(arguments.files, " ").c_str());
  return interrupt_requested ? kInterruptedExitCode : 0;
}

}  // namespace

extern "C" int hearth_command_train(const void* given) {
  const auto& arguments = *static_cast<const TrainArguments*>(given);
  if (arguments.is_dry_run) return dry_run(arguments);
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  if (arguments.profile_steps) return profile(arguments);
  Estimator estimator = estimator_for(arguments);
  const Report report = estimator.fit();
  if (arguments.is_json) {
    Json json = report_json(report);
    json["weights_sha256"] = estimator.weights_digest();
    json["state_sha256"] = estimator.state_digest();
    std::printf("%s\n", json.dump().c_str());
  } else {
    print_end(report, estimator);
  }
  return report.was_interrupted ? kInterruptedExitCode : 0;
}

}  // namespace hearth::cli
