// A trained model as a folder of its own.
#include "hearth/train/model_export.h"

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/train/checkpoint.h"
#include "hearth/train/plugins.h"
#include "hearth/train/run_folder.h"
#include "hearth/train/run_origin.h"
#include "hearth/train/torch_weights.h"

namespace hearth {
namespace {

void require_no_files(const std::filesystem::path& folder) {
  if (!list_folder(folder).empty())
    throw DataError(folder.string() + " is not empty. Name a folder that does not exist yet.");
}

}  // namespace

void export_model_to(const std::filesystem::path& folder, const Node& config,
                     ExperimentGraph& experiment) {
  require_no_files(folder);
  const RunFolder made = RunFolder::made_at(folder);
  const Node exported = with_copied_plugins(config, folder);
  State weights;
  for (const auto& model : experiment.network().models().all())
    weights.add("models/" + model->name(), model->weights());
  RunOrigin{exported, experiment.specs()}.add_to(weights);
  write_state(made.weights(), weights, kWeightsKind);
  made.write_specs(experiment.specs());
  made.write_config(exported, "");
}

std::vector<std::string> export_torch_weights_to(const std::filesystem::path& folder,
                                                 const ModelSet& models) {
  require_no_files(folder);
  make_folder(folder);
  return write_torch_weights(folder, models);
}

}  // namespace hearth
