// A named model: a layer tree, its optimizers, and whether it learns.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hearth/experiment/options.h"
#include "hearth/network/gradient_keys.h"
#include "hearth/network/model_optimizers.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layer_edits.h"
#include "hearth/nn/layer_places.h"
#include "hearth/optim/optimizer.h"

namespace hearth {

class Model {
 public:
  Model(std::string name, const ModelOptions& options);
  // Of a layer that no registry made; `options.build` is not asked.
  Model(std::string name, const ModelOptions& options, std::unique_ptr<Layer> layer);
  // Builds the layers for these inputs: parameters once, specs for each shape that comes.
  // GraphError when the parameters do not fit another shape. The context's path is the model's.
  std::vector<Spec> build(std::span<const Spec> inputs, const BuildContext& context);
  Spec build(const Spec& input, uint64_t seed, int64_t classes, at::Device device,
             Kernels kernels = Kernels::kFast);
  // Before a step: which of the shapes it was built for is the one its weights are laid out for.
  void select_shape(std::span<const Spec> inputs);
  [[nodiscard]] bool is_built() const { return is_built_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] Layer& layer() { return *layer_; }
  // The first of them; null when the model has none.
  [[nodiscard]] Optimizer* optimizer() {
    return optimizers_.all().empty() ? nullptr : optimizers_.all().front().optimizer.get();
  }
  [[nodiscard]] ModelOptimizers& optimizers() { return optimizers_; }
  [[nodiscard]] const ModelOptimizers& optimizers() const { return optimizers_; }
  [[nodiscard]] bool is_trainable() const { return is_trainable_; }
  [[nodiscard]] bool is_averaged() const {
    return average_.has_value() || optimizers_.have_own_averages();
  }
  [[nodiscard]] int64_t parameter_count() const { return layer_->parameter_count(); }

  // Parameters and buffers as model/<name>, optimizers, with the averages, as ModelOptimizers says.
  [[nodiscard]] State state() const;
  void restore(const State& state);
  // Where processes share out what optimizers remember: what all of them have, and what one would
  // have that has everything, of everybody's states of optimizers.
  [[nodiscard]] State common_state() const;
  [[nodiscard]] State whole_state(const std::vector<State>& of_ranks) const;
  // Only the weights, for evaluation and prediction: the averages where they are kept. A model that
  // no plan has built yet takes them when one does.
  [[nodiscard]] State weights() const;
  void restore_weights(const State& state);

 private:
  [[nodiscard]] std::vector<Spec> build_first(std::span<const Spec> inputs,
                                              const BuildContext& context);
  // The layers alone, which take memory only once all of them are known to fit.
  [[nodiscard]] std::vector<Spec> build_layers(std::span<const Spec> inputs,
                                               const BuildContext& context);
  void check_room(std::span<const Spec> inputs, const BuildContext& context);
  [[nodiscard]] std::vector<Spec> build_again(std::span<const Spec> inputs,
                                              const BuildContext& context);
  void take_weights(const State& weights);
  // Parameters and buffers, beside what optimizers remember.
  [[nodiscard]] State with(const State& optimizers) const;
  [[nodiscard]] size_t find_shape(std::span<const Spec> inputs) const;

  std::string name_;
  std::unique_ptr<Layer> layer_;
  ModelOptimizers optimizers_;
  std::optional<double> average_;
  Mark mark_;  // of what it is built of
  LayerEdits edits_;
  LayerDefaults defaults_;
  std::map<std::string, std::string> place_;
  bool is_trainable_;
  bool is_built_ = false;
  State waiting_;                          // weights for a model that is not built yet
  std::vector<std::vector<Spec>> shapes_;  // inputs it is built for, by number
  size_t shape_ = 0;                       // the selected one
};

// All models of an experiment, in the order of the config.
class ModelSet {
 public:
  void add(std::unique_ptr<Model> model) { models_.push_back(std::move(model)); }
  // ConfigError with the nearest name.
  [[nodiscard]] Model& find(const std::string& name);
  [[nodiscard]] const std::vector<std::unique_ptr<Model>>& all() const { return models_; }

  // Keys of the data with their numbers of classes; `classes` becomes the number they share, or 0.
  void set_targets(std::map<std::string, int64_t> targets);
  [[nodiscard]] BuildContext build_context() const;

  uint64_t seed = 0;
  int64_t classes = 0;
  at::Device device = at::kCPU;
  Kernels kernels = Kernels::kFast;
  std::map<std::string, int64_t> targets = {};
  GradientKeys gradients = {};

 private:
  std::vector<std::unique_ptr<Model>> models_;
};

}  // namespace hearth
