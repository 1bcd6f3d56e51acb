// hearth plot: what runs have measured as curves; or the schedules of a config.
#include <CLI/CLI.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/experiment_arguments.h"
#include "cli/flag_checks.h"
#include "hearth/base/error.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/format/json.h"
#include "hearth/tracking/chart/chart_output.h"
#include "hearth/tracking/run_chart.h"

namespace hearth::cli {
namespace {

constexpr double kMostSmoothing = 0.9999;

class PlotCommand : public Command {
 public:
  PlotCommand()
      : Command({"plot",
                 "Use",
                 "Draws what runs have measured, or the schedules of a config, as curves.",
                 "RUN... | FILE... --schedules",
                 {"hearth plot runs/digits-1", "hearth plot runs/a runs/b --metric eval/accuracy",
                  "hearth plot runs/digits-1 --metric step/loss --smooth 0.9 --log --out loss.png",
                  "hearth plot digits.yaml --schedules --out schedules.svg"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("WORDS", words_,
                   "Folders of runs, which need not have ended; with --schedules, a config with "
                   "overrides.")
        ->required()
        ->type_name("RUN");
    app.add_option("--metric", options_.metrics,
                   "What to draw, such as eval/accuracy; may be given again. Left out: losses.")
        ->type_name("NAME")
        ->expected(1)
        ->take_all();
    app.add_option("--x", options_.x, "Over what: step, epoch, or time. Left out: step.")
        ->check(one_of_words({"step", "epoch", "time"}))
        ->type_name("AXIS");
    app.add_flag("--log", options_.is_logarithmic, "A logarithmic axis for the values.");
    app.add_option("--smooth", options_.smooth,
                   "An exponential average in which earlier values keep this share, from 0 to "
                   "below 1. What was measured stays visible behind it in files.")
        ->check(number_between(0, kMostSmoothing))
        ->type_name("SHARE");
    app.add_option("--out", arguments_.file, "Writes FILE.svg or FILE.png instead of printing.")
        ->type_name("FILE");
    app.add_option("--width", arguments_.width, "Of the file, in points; 900 if left out.")
        ->check(whole_number_from(200))
        ->type_name("N");
    app.add_option("--height", arguments_.height, "Of the file, in points; 540 if left out.")
        ->check(whole_number_from(150))
        ->type_name("N");
    app.add_flag("--schedules", has_schedules_,
                 "Draws every schedule of a config over the whole training.");
  }

  int run() override {
    constexpr int64_t kLargest = 10'000;
    if (std::max(arguments_.width, arguments_.height) > kLargest)
      throw ConfigError("--width and --height: at most " + std::to_string(kLargest) + " points.");
    if (!arguments_.file.empty()) check_chart_file(arguments_.file);
    return has_schedules_ ? plot_schedules() : plot_runs();
  }

 private:
  int plot_runs() {
    for (const std::string& word : words_) {
      if (word.ends_with(".yaml"))
        throw ConfigError(quote(word) +
                          " is a config, which has measured nothing. Draw its schedules: hearth "
                          "plot " +
                          word + " --schedules");
      options_.runs.emplace_back(word);
    }
    const RunChart made = make_run_chart(options_);
    for (const std::string& note : made.notes) print_note(note);
    if (is_json()) print(json_line(chart_json(made.chart, options_.x)));
    if (!arguments_.file.empty())
      write_chart(made.chart, arguments_.file, {arguments_.width, arguments_.height});
    if (is_json()) return 0;
    if (arguments_.file.empty())
      print_chart(made.chart);
    else
      print_note("the curves are in " + arguments_.file + ".");
    return 0;
  }

  int plot_schedules() {
    if (!options_.metrics.empty() || options_.smooth > 0)
      throw ConfigError(
          "--schedules draws what is known before training; leave out --metric and --smooth.");
    if (options_.x == "time")
      throw ConfigError("--schedules: nobody knows the time of a step yet; use --x step or epoch.");
    arguments_.is_json = is_json();
    arguments_.x = options_.x;
    arguments_.is_logarithmic = options_.is_logarithmic;
    sort_words(words_, "plot", arguments_);
    return run_in_engine("plot", &arguments_, check_early(arguments_));
  }

  RunChartOptions options_;
  PlotArguments arguments_;
  std::vector<std::string> words_;
  bool has_schedules_ = false;
};

}  // namespace

void register_plot(Commands& commands) { commands.add(std::make_unique<PlotCommand>()); }

}  // namespace hearth::cli
