// A named model: a layer tree, its optimizer, and whether it learns.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hearth/experiment/options.h"
#include "hearth/nn/layer.h"
#include "hearth/optim/optimizer.h"

namespace hearth {

class Model {
 public:
  Model(std::string name, const ModelOptions& options);
  // Builds the layers for this input, once; a later call checks that the input is the same.
  Spec build(const Spec& input, uint64_t seed, int64_t classes, at::Device device,
             Kernels kernels = Kernels::kFast);
  [[nodiscard]] bool is_built() const { return is_built_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] Layer& layer() { return *layer_; }
  // Null when the model has none.
  [[nodiscard]] Optimizer* optimizer() { return optimizer_.get(); }
  [[nodiscard]] bool is_trainable() const { return is_trainable_; }
  [[nodiscard]] bool is_averaged() const { return average_.has_value(); }
  [[nodiscard]] int64_t parameter_count() const { return layer_->parameter_count(); }

  // Parameters and buffers as model/<name>, the optimizer, with the averages, as optimizer/<name>.
  [[nodiscard]] State state() const;
  void restore(const State& state);
  // Only the weights, for evaluation and prediction: the averages where they are kept.
  [[nodiscard]] State weights() const;
  void restore_weights(const State& state);

 private:
  std::string name_;
  std::unique_ptr<Layer> layer_;
  std::unique_ptr<Optimizer> optimizer_;
  std::optional<double> average_;
  bool is_trainable_;
  bool is_built_ = false;
};

// All models of an experiment, in the order of the config.
class ModelSet {
 public:
  void add(std::unique_ptr<Model> model) { models_.push_back(std::move(model)); }
  // ConfigError with the nearest name.
  [[nodiscard]] Model& find(const std::string& name);
  [[nodiscard]] const std::vector<std::unique_ptr<Model>>& all() const { return models_; }

  uint64_t seed = 0;
  int64_t classes = 0;
  at::Device device = at::kCPU;
  Kernels kernels = Kernels::kFast;

 private:
  std::vector<std::unique_ptr<Model>> models_;
};

}  // namespace hearth
