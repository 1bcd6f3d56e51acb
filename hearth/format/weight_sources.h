// The formats a file of weights may have, each as a WeightSource.
#pragma once

#include <memory>

#include "hearth/format/weight_file.h"

namespace hearth {

[[nodiscard]] std::unique_ptr<WeightSource> safetensors_weights(const std::filesystem::path& path);
// The models' tensors of a checkpoint or an exported model; null for a file of another program.
[[nodiscard]] std::unique_ptr<WeightSource> hearth_weights(const std::filesystem::path& path);
[[nodiscard]] std::unique_ptr<WeightSource> pt_weights(const std::filesystem::path& path);
[[nodiscard]] std::unique_ptr<WeightSource> npz_weights(const std::filesystem::path& path);

}  // namespace hearth
