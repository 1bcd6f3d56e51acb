// Weights for other programs: plain safetensors, named as PyTorch names them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hearth/network/model.h"

namespace hearth {

// A model's weights by PyTorch's names: `load_state_dict(strict=True)` takes them where PyTorch has
// the architecture.
[[nodiscard]] std::vector<NamedTensor> torch_weights(Model& model);

// model.safetensors, or a file for each model when there are several; returns their names. Nothing
// but the weights is in them.
std::vector<std::string> write_torch_weights(const std::filesystem::path& folder,
                                             const ModelSet& models);

}  // namespace hearth
