// hearth check: compiles every plan of an experiment, trains nothing.
#include <nlohmann/json.hpp>

#include "cli/engine/engine.h"
#include "hearth/base/terminal.h"
#include "hearth/format/json.h"
#include "hearth/train/check_report.h"

namespace hearth::cli {

extern "C" int hearth_command_check(const void* given) {
  const auto& arguments = *static_cast<const CheckArguments*>(given);
  const EngineExperiment experiment = load_for_engine(arguments);
  const CheckReport report = check_experiment(experiment.options, experiment.loaded.effective);
  if (arguments.is_json) {
    print(json_line(report.to_json()));
    return 0;
  }
  print_page(report.text() + "\n");
  for (const std::string& warning : report.warnings) print_warning(warning);
  print(report.warnings.empty() ? "no faults.\n" : "no faults, but warnings.\n");
  say_next("hearth train " + arguments.words());
  return 0;
}

}  // namespace hearth::cli
