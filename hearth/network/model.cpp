// A named model: a layer tree, its optimizer, and whether it learns.
#include "hearth/network/model.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth {
namespace {

std::vector<NamedTensor> model_tensors(const Layer& layer) {
  std::vector<NamedTensor> tensors = layer.parameters();
  for (NamedTensor& buffer : layer.buffers()) tensors.push_back(std::move(buffer));
  return tensors;
}

}  // namespace

Model::Model(std::string name, const ModelOptions& options)
    : name_(std::move(name)),
      layer_(registry<Layer>().make(options.build)),
      is_trainable_(options.trainable) {
  if (options.optimizer) optimizer_ = registry<Optimizer>().make(*options.optimizer);
}

Spec Model::build(const Spec& input, uint64_t seed, int64_t classes, at::Device device,
                  Kernels kernels) {
  if (is_built_) {
    const Spec& built = layer_->input_spec();
    if (built.dtype == input.dtype && built.shape == input.shape) return layer_->output_spec();
    throw GraphError("Model '" + name_ + "' is built for " + built.text() +
                     ", but is called with " + input.text() +
                     ". Call it with inputs of one shape, or name a second model.");
  }
  Spec output = layer_->build(input, {seed, name_, classes, kernels});
  layer_->move_to(device);
  layer_->set_trainable(is_trainable_);
  if (optimizer_) optimizer_->attach(layer_->parameters(), kernels);
  is_built_ = true;
  return output;
}

State Model::weights() const {
  State tensors;
  for (const auto& [name, tensor] : model_tensors(*layer_)) {
    tensors.tensors.emplace_back(name, tensor.detach());
  }
  State state;
  state.add("model", tensors);
  return state;
}

State Model::state() const {
  State state = weights();
  if (optimizer_) state.add("optimizer", optimizer_->state());
  return state;
}

void Model::restore_weights(const State& state) {
  copy_into(model_tensors(*layer_), state.part("model").tensors, "Model '" + name_ + "'");
}

void Model::restore(const State& state) {
  restore_weights(state);
  if (optimizer_) optimizer_->restore(state.part("optimizer"));
}

Model& ModelSet::find(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& model : models_) {
    if (model->name() == name) return *model;
    names.push_back(model->name());
  }
  throw ConfigError("There is no model '" + name + "'." + did_you_mean(name, names));
}

}  // namespace hearth
