// First values of a model from a file of weights: by name, in part, with a report of all that does
// not fit.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/node.h"
#include "hearth/experiment/options.h"
#include "hearth/experiment/weights_options.h"
#include "hearth/format/weight_file.h"
#include "hearth/nn/layer.h"

namespace hearth {

class Model;
class ModelSet;

// What became of the tensors on both sides. Lines name them and say more where there is more.
struct WeightReport {
  std::string file;
  size_t wanted = 0;  // tensors of the model
  size_t loaded = 0;
  std::vector<std::string> missing = {};
  std::vector<std::string> unexpected = {};
  std::vector<std::string> misshaped = {};
  std::vector<std::string> fresh = {};      // asked to keep their own first values
  std::vector<std::string> adapted = {};    // a first convolution for other channels
  std::vector<std::string> converted = {};  // from another type of number
  // "resnet50.pth: 318 of 320 tensors; fresh: fc.weight, fc.bias; ..."
  [[nodiscard]] std::string text() const;
};

// Which tensor of the file goes where; nothing is read but names and shapes. ConfigError with
// everything that does not fit and is not allowed to, each with the nearest name.
[[nodiscard]] WeightReport check_weights(const Layer& layer, const WeightsOptions& options);
// The same, and the numbers are copied into the layer's parameters and buffers. It must be built.
WeightReport load_weights(Layer& layer, const WeightsOptions& options);
WeightReport load_weights(Model& model, const WeightsOptions& options);

// What the config's models say in `weights`, for a training that begins: those that are built get
// it, and a line for each says what it got.
[[nodiscard]] std::vector<std::string> load_wanted_weights(
    const std::map<std::string, ModelOptions>& wanted, const Node& config, ModelSet& models);

// The name that a rule of `rename` makes of one: "features.0.weight" of {"encoder.*":
// "features.*"}.
[[nodiscard]] std::string renamed(const std::string& name,
                                  const std::map<std::string, std::string>& rules);

}  // namespace hearth
