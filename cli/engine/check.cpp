// hearth check: compiles every plan of an experiment, trains nothing.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/engine/engine.h"
#include "hearth/train/check_report.h"

namespace hearth::cli {

extern "C" int hearth_command_check(const void* given) {
  const auto& arguments = *static_cast<const CheckArguments*>(given);
  const EngineExperiment experiment = load_for_engine(arguments);
  const CheckReport report = check_experiment(experiment.options);
  if (arguments.is_json) {
    std::printf("%s\n", report.to_json().dump(2).c_str());
    return 0;
  }
  std::printf("%s\nno faults. next:\n  hearth train %s\n", report.text().c_str(),
              arguments.files.front().c_str());
  return 0;
}

}  // namespace hearth::cli
