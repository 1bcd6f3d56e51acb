// hearth export: a model folder with all that prediction needs, and nothing else.
#include <nlohmann/json.hpp>

#include "cli/engine/engine.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/format/json.h"

namespace hearth::cli {

namespace {

std::vector<std::string> write_export(const Estimator& estimator,
                                      const ExportArguments& arguments) {
  if (arguments.has_torch_names) return estimator.export_torch_weights(arguments.folder);
  estimator.export_model(arguments.folder);
  return {"config.yaml", "specs.json", "model.safetensors"};
}

}  // namespace

extern "C" int hearth_command_export(const void* given) {
  const auto& arguments = *static_cast<const ExportArguments*>(given);
  const Estimator estimator = Estimator::open(arguments.run, arguments.checkpoint, {},
                                              {.accepts_changes = arguments.accepts_changes});
  const std::vector<std::string> files = write_export(estimator, arguments);
  if (arguments.is_json) {
    print(json_line(Json{{"folder", arguments.folder}, {"files", files}}));
    return 0;
  }
  print(arguments.folder + " holds the model" +
        (arguments.has_torch_names ? "'s weights by PyTorch's names: " : ": ") + join(files, ", ") +
        "\n");
  if (arguments.has_torch_names)
    print_note("these files are for other programs; Hearth reads what it exports without --names.");
  else if (estimator.can_predict())
    say_next("hearth predict " + arguments.folder + " FILE.png");
  return 0;
}

}  // namespace hearth::cli
