// hearth plot --schedules: every schedule of a config over the whole training.
#include <algorithm>

#include "cli/engine/engine.h"
#include "hearth/base/error.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/experiment/found_schedules.h"
#include "hearth/format/json.h"
#include "hearth/schedule/schedule.h"
#include "hearth/tracking/chart/chart_output.h"
#include "hearth/train/experiment_graph.h"
#include "hearth/train/live_catalog.h"
#include "hearth/train/plan_check.h"

namespace hearth::cli {
namespace {

constexpr int64_t kMostPoints = 2000;

// Steps to ask at: evenly spread, and on both sides of every change.
std::vector<int64_t> steps_to_ask(const ScheduledValue& value, const TrainingLength& length) {
  std::vector<int64_t> steps;
  const int64_t every = std::max<int64_t>(1, length.total_steps / kMostPoints);
  for (int64_t step = 0; step < length.total_steps; step += every) steps.push_back(step);
  steps.push_back(length.total_steps - 1);
  for (const int64_t change : value.changes(length))
    for (const int64_t step : {change - 1, change})
      if (step >= 0 && step < length.total_steps) steps.push_back(step);
  std::ranges::sort(steps);
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}

double epochs_before(int64_t step, const TrainingLength& length) {
  const int64_t epoch = length.epoch_of(step);
  const int64_t first = length.first_step(epoch);
  const int64_t steps = std::max<int64_t>(length.first_step(epoch + 1) - first, 1);
  return static_cast<double>(epoch) +
         static_cast<double>(step - first) / static_cast<double>(steps);
}

ChartLine line_of(const FoundSchedule& found, const TrainingLength& length, const std::string& x) {
  const ScheduledValue value{Scheduled(found.schedule)};
  ChartLine line{found.path, {}, false};
  for (const int64_t step : steps_to_ask(value, length)) {
    const int64_t epoch = length.epoch_of(step);
    const int64_t asked = found.changes_by_epoch ? length.first_step(epoch) : step;
    line.points.push_back({x == "epoch" ? epochs_before(step, length) : static_cast<double>(step),
                           value.at({asked, epoch, length})});
  }
  return line;
}

}  // namespace

extern "C" int hearth_command_plot(const void* given) {
  const auto& arguments = *static_cast<const PlotArguments*>(given);
  const EngineExperiment loaded = load_for_engine(arguments);
  ExperimentGraph experiment(loaded.options, loaded.loaded.effective);
  experiment.open_sources();
  (void)check_run(experiment);
  const TrainingLength& length = experiment.length();
  Chart chart;
  chart.title = "schedules of " + loaded.options.name;
  chart.x_label = arguments.x + "s";
  chart.x_kind = arguments.x == "epoch" ? AxisKind::kNumber : AxisKind::kCount;
  chart.is_logarithmic = arguments.is_logarithmic;
  for (const FoundSchedule& found : schedules_in(loaded.loaded.effective, live_catalog()))
    chart.lines.push_back(line_of(found, length, arguments.x));
  if (chart.lines.empty())
    throw ConfigError(
        "there is no schedule in the config: all its numbers stay as they are. Give one a "
        "schedule, such as optimizer.adamw.lr={cosine: {peak: 0.003}}.");
  for (const std::string& note : chart_notes(chart)) print_note(note);
  if (!arguments.file.empty())
    write_chart(chart, arguments.file, {arguments.width, arguments.height});
  if (arguments.is_json)
    print(json_line(chart_json(chart, arguments.x)));
  else if (arguments.file.empty())
    print_chart(chart);
  else
    print_note("the curves are in " + arguments.file + ".");
  return 0;
}

}  // namespace hearth::cli
