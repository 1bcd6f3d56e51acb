// hearth evaluate: measures a trained model on held-out data.
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/engine/engine.h"
#include "cli/engine/interrupt.h"
#include "hearth/base/error.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/format/json.h"

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

}  // namespace

extern "C" int hearth_command_evaluate(const void* given) {
  const auto& arguments = *static_cast<const EvaluateArguments*>(given);
  const auto mode = mode_from(arguments.mode);
  if (!mode || *mode == Mode::kInfer)
    throw ConfigError("--mode must be train, eval or test, but is '" + arguments.mode + "'.");
  Estimator estimator =
      Estimator::open(arguments.run, arguments.checkpoint, arguments.overrides,
                      {.interrupt = &heed_signals(), .accepts_changes = arguments.accepts_changes});
  const Report report = estimator.evaluate(*mode);
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
    say_next("hearth predict " + arguments.run + " --sample 7");
  return 0;
}

}  // namespace hearth::cli
