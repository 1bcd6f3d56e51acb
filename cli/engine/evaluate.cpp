// hearth evaluate: measures a trained model on held-out data.
#include <sys/resource.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/engine/engine.h"
#include "cli/engine/interrupt.h"
#include "cli/engine/shared_predictions.h"
#include "hearth/base/error.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/cluster/group.h"
#include "hearth/format/json.h"
#include "hearth/tracking/event_row.h"
#include "hearth/train/best_evaluated.h"
#include "hearth/train/checkpoint_evaluator.h"

namespace hearth::cli {
namespace {

// The fault of a metric that is no finite number; empty when there is none.
std::string not_finite(const Report& report) {
  for (const auto& [name, value] : report.metrics)
    if (!std::isfinite(value))
      return name + " is " + shortest_number(value) +
             ", not a finite number. Did training diverge, or do the data hold such values? Try "
             "another --checkpoint.";
  return "";
}

Json tables_json(const Report& report) {
  Json json = Json::object();
  for (const auto& [name, table] : report.tables) json[name] = table.to_json();
  return json;
}

// The training beside it has the processor whenever it wants it. On Linux this is of the calling
// thread, and those it makes inherit it.
void step_back() {
  constexpr int kLowestPriority = 19;
  (void)::setpriority(PRIO_PROCESS, 0, kLowestPriority);
}

void show(const Event& event, bool is_json) {
  if (is_json)
    print(to_line(event));
  else
    print(event_row(event));
  for (const auto& [name, value] : event.values)
    if (!std::isfinite(value))
      print_warning(name + " of step " + std::to_string(event.step) + " is " +
                    shortest_number(value) + ", not a finite number.");
}

std::string counted(int64_t count, const std::string& what) {
  return count == 0 ? "" : ", " + std::to_string(count) + " " + what;
}

void say_end(const EvaluateArguments& arguments, const CheckpointsEvaluated& done) {
  if (done.state == RunPhase::kGone && arguments.follows) print_note(gone_text(arguments.run));
  print_note(std::to_string(done.measured) + " measured" + counted(done.known, "known already") +
             counted(done.missed, "missed") + ". They stand in " + arguments.run +
             "/evaluations.jsonl.");
  if (!done.best) return;
  print_note("best by " + arguments.best + ": step " + std::to_string(done.best->step) + ".");
  say_next("hearth evaluate " + shell_word(arguments.run) + " --checkpoint " + kBestEvaluated);
}

int follow(const EvaluateArguments& arguments, Mode mode) {
  step_back();
  const CheckpointsEvaluated done = evaluate_checkpoints(
      arguments.run, {.mode = mode,
                      .overrides = arguments.overrides,
                      .every = arguments.every,
                      .is_once = arguments.is_once,
                      .best = arguments.best,
                      .accepts_changes = arguments.accepts_changes,
                      .on_result = [&](const Event& event) { show(event, arguments.is_json); },
                      .on_note = [](const std::string& text) { print_note(text); },
                      .interrupt = &heed_signals()});
  say_end(arguments, done);
  return done.was_interrupted ? interrupted_exit_code() : 0;
}

}  // namespace

extern "C" int hearth_command_evaluate(const void* given) {
  const auto& arguments = *static_cast<const EvaluateArguments*>(given);
  const auto mode = mode_from(arguments.mode);
  if (!mode || *mode == Mode::kInfer)
    throw ConfigError("--mode must be train, eval or test, but is '" + arguments.mode + "'.");
  if (arguments.follows || arguments.is_once) return follow(arguments, *mode);
  const std::shared_ptr<Group> group = launched_group();
  const auto open = [&] {
    return Estimator::open(arguments.run, arguments.checkpoint, arguments.overrides,
                           {.interrupt = &heed_signals(),
                            .accepts_changes = arguments.accepts_changes,
                            .group = group->size() > 1 ? group : nullptr});
  };
  Estimator estimator = told_to_others(*group, open);
  const Report report = told_to_others(*group, [&] { return estimator.evaluate(*mode); });
  group->leave();
  if (!group->is_first()) return report.was_interrupted ? interrupted_exit_code() : 0;
  if (report.was_interrupted) {
    print_note("stopped before the end; nothing was measured.");
    return interrupted_exit_code();
  }
  if (arguments.is_json) {
    Json json = report_json(report);
    json["tables"] = tables_json(report);
    print(json_line(json));
  } else {
    print(metric_lines(report) + row_of("time", human_seconds(report.seconds)));
    for (const auto& [name, table] : report.tables)
      print("\n" + name + "\n" + table.text(page_width()));
  }
  // A script that goes on with a number must not go on with none.
  if (const std::string fault = not_finite(report); !fault.empty()) {
    print_error(fault);
    return DataError(fault).exit_code();
  }
  if (!arguments.is_json && estimator.can_predict())
    say_next("hearth predict " + shell_word(arguments.run) + " --sample 7");
  return 0;
}

}  // namespace hearth::cli
