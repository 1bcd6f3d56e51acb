// hearth export: a model folder with all that prediction needs, and nothing else.
#include <cstdio>

#include "cli/engine/engine.h"

namespace hearth::cli {

extern "C" int hearth_command_export(const void* given) {
  const auto& arguments = *static_cast<const ExportArguments*>(given);
  const Estimator estimator = Estimator::open(arguments.run, arguments.checkpoint);
  estimator.export_model(arguments.folder);
  std::printf("%s holds the model: config.yaml, specs.json, model.safetensors\n",
              arguments.folder.c_str());
  if (estimator.can_predict())
    std::printf("\nnext:\n  hearth predict %s FILE.png\n", arguments.folder.c_str());
  return 0;
}

}  // namespace hearth::cli
