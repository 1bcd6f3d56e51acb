// hearth train: declared here, carried out by the engine.
#include <CLI/CLI.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/experiment_arguments.h"
#include "cli/flag_checks.h"
#include "cli/folder_arguments.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth::cli {
namespace {

constexpr int64_t kProfiledSteps = 20;

class TrainCommand : public Command {
 public:
  TrainCommand()
      : Command({"train",
                 "Train",
                 "Trains an experiment, or goes on with a run that was stopped.",
                 "FILE... [KEY=VALUE...]",
                 {"hearth train digits.yaml", "hearth train digits.yaml train.epochs=3 seed=1",
                  "hearth train base.yaml mine.yaml --dry-run", "hearth train --resume",
                  "hearth train --resume runs/digits-1", "hearth train digits.yaml --profile",
                  "hearth train digits.yaml --fast-dev-run"}}) {}

  void declare(CLI::App& app) override {
    declare_experiment(app, words_);
    app.add_flag("--dry-run", arguments_.is_dry_run,
                 "Checks everything, trains nothing, writes nothing.");
    resume_ = app.add_option("--resume", run_,
                             "Goes on with a run where it stopped, to the same bits as if it had "
                             "not. RUN is its folder; left out, the newest run.")
                  ->expected(0, 1)
                  ->type_name("[RUN]");
    profile_ = app.add_option("--profile", steps_,
                              "Times STEPS steps layer by layer instead of training, after 5 that "
                              "do not count, and shows where the time goes. Writes nothing. 20 if "
                              "left out.")
                   ->expected(0, 1)
                   ->type_name("[STEPS]");
    app.add_option("--chrome-trace", arguments_.chrome_trace,
                   "With --profile: writes every call in time to FILE, for chrome://tracing or "
                   "Perfetto.")
        ->type_name("FILE");
    declare_debugging(app);
    app.add_flag("--allow-commands", arguments_.allows_commands,
                 "Runs the commands of the shell that train.commands names.");
    app.add_flag("-q,--quiet", arguments_.is_quiet, "Shows no progress, only the result.");
    declare_folder(app, arguments_);
  }

  int run() override {
    arguments_.is_json = is_json();
    check_less_data();
    if (profile_->count() > 0) settle_profile();
    if (resume_->count() > 0) {
      settle_resume();
      return run_in_engine("train", &arguments_);
    }
    sort_words(words_, "train", arguments_);
    const std::optional<int> threads = check_early(arguments_);
    return run_in_engine("train", &arguments_, threads);
  }

  std::vector<std::string> candidates(const Catalog& catalog) const override {
    return override_paths(catalog.experiment);
  }

 private:
  void declare_debugging(CLI::App& app) {
    trial_ = app.add_option("--fast-dev-run", batches_,
                            "Trains and evaluates on BATCHES batches for one epoch to see whether "
                            "everything runs, and keeps nothing. 1 if left out.")
                 ->expected(0, 1)
                 ->type_name("[BATCHES]");
    app.add_option(
           "--overfit-batches", arguments_.overfit_batches,
           "Trains on the first BATCHES batches alone, in order, and evaluates on the same: "
           "a sound model learns them by heart.")
        ->check(whole_number_from(1))
        ->type_name("BATCHES");
    app.add_option("--limit", arguments_.limit, "Uses the first SAMPLES samples of each data set.")
        ->check(whole_number_from(1))
        ->type_name("SAMPLES");
    app.add_flag(
        "--detect-anomaly", arguments_.detects_anomalies,
        "Looks at every loss, gradient and parameter in every step, and stops at the first "
        "that is no finite number, with the layer and the samples it comes from.");
  }

  void check_less_data() {
    if (trial_->count() > 0) settle_trial();
    const int given = static_cast<int>(arguments_.trial_batches.has_value()) +
                      static_cast<int>(arguments_.overfit_batches.has_value()) +
                      static_cast<int>(arguments_.limit.has_value());
    if (given > 1)
      throw ConfigError(
          "--fast-dev-run, --overfit-batches and --limit each say how much data is used; give "
          "one of them.");
    if (given == 1 && resume_->count() > 0)
      throw ConfigError(
          "hearth train --resume goes on with the run's own data; leave out --fast-dev-run, "
          "--overfit-batches and --limit.");
    if (!arguments_.chrome_trace.empty() && profile_->count() == 0)
      throw ConfigError(
          "--chrome-trace is written from a profile.\n  Try: hearth train FILE "
          "--profile --chrome-trace " +
          arguments_.chrome_trace);
  }

  // The word after --fast-dev-run is its number, unless it is a file or an override.
  void settle_trial() {
    if (is_override(batches_) || batches_.ends_with(".yaml"))
      words_.push_back(std::exchange(batches_, ""));
    const std::optional<int64_t> batches = read_integer(batches_);
    if (!batches_.empty() && (!batches || *batches < 1))
      throw ConfigError("--fast-dev-run: must be a whole number of at least 1, but is " +
                        quote(batches_) + ".\n  Try: hearth train FILE --fast-dev-run 1");
    arguments_.trial_batches = batches.value_or(1);
  }

  // Overrides may change a run from here on; a file would be another experiment.
  void settle_resume() {
    if (is_override(run_) || run_.ends_with(".yaml")) words_.push_back(std::exchange(run_, ""));
    for (const std::string& word : words_)
      if (!is_override(word))
        throw ConfigError("hearth train --resume goes on with the run's own config; leave out " +
                          quote(word) + ".\n  Try: hearth train --resume");
    arguments_.overrides = words_;
    arguments_.resume = run_;
  }

  // The word after --profile is its number, unless it is a file or an override.
  void settle_profile() {
    for (const auto& [is_given, flag] : {std::pair(resume_->count() > 0, "--resume"),
                                         std::pair(arguments_.is_dry_run, "--dry-run")})
      if (is_given)
        throw ConfigError(
            "hearth train --profile times an experiment without training it; leave "
            "out " +
            std::string(flag) + ".\n  Try: hearth train FILE --profile");
    if (is_override(steps_) || steps_.ends_with(".yaml"))
      words_.push_back(std::exchange(steps_, ""));
    const std::optional<int64_t> steps = read_integer(steps_);
    if (!steps_.empty() && (!steps || *steps < 1))
      throw ConfigError("--profile: must be a whole number of at least 1, but is " + quote(steps_) +
                        ".\n  Try: hearth train FILE --profile 20");
    arguments_.profile_steps = steps.value_or(kProfiledSteps);
  }

  TrainArguments arguments_;
  std::vector<std::string> words_;
  std::string run_;
  std::string steps_;
  std::string batches_;
  CLI::Option* trial_ = nullptr;
  CLI::Option* resume_ = nullptr;
  CLI::Option* profile_ = nullptr;
};

}  // namespace

void register_train(Commands& commands) { commands.add(std::make_unique<TrainCommand>()); }

}  // namespace hearth::cli
