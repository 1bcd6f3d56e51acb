// hearth evaluate: measures a trained model on held-out data.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/engine/engine.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth::cli {

extern "C" int hearth_command_evaluate(const void* given) {
  const auto& arguments = *static_cast<const EvaluateArguments*>(given);
  const auto mode = mode_from(arguments.mode);
  if (!mode || *mode == Mode::kInfer)
    throw ConfigError("--mode must be train, eval or test, but is '" + arguments.mode + "'.");
  Estimator estimator = Estimator::open(arguments.run, arguments.checkpoint, arguments.overrides);
  const Report report = estimator.evaluate(*mode);
  if (arguments.is_json) {
    std::printf("%s\n", report_json(report).dump().c_str());
    return 0;
  }
  std::printf("%s, in %s\n", metric_lines(report).c_str(), human_seconds(report.seconds).c_str());
  if (estimator.can_predict())
    std::printf("\nnext:\n  hearth predict %s --sample 7\n", arguments.run.c_str());
  return 0;
}

}  // namespace hearth::cli
