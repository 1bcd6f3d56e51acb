// A trained model as a folder of its own, for who predicts with it or takes its weights elsewhere.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hearth/config/node.h"
#include "hearth/network/model.h"
#include "hearth/train/experiment_graph.h"

namespace hearth {

// Config, specs, weights and plugins. DataError for a folder that has files already.
void export_model_to(const std::filesystem::path& folder, const Node& config,
                     ExperimentGraph& experiment);
// The weights alone, under the names that Python's torch has for them; what was written.
std::vector<std::string> export_torch_weights_to(const std::filesystem::path& folder,
                                                 const ModelSet& models);

}  // namespace hearth
