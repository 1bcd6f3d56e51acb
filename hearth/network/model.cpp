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

State model_state(const std::vector<NamedTensor>& tensors) {
  State detached;
  for (const auto& [name, tensor] : tensors) detached.tensors.emplace_back(name, tensor.detach());
  State state;
  state.add("model", detached);
  return state;
}

void replace_by_averages(std::vector<NamedTensor>& tensors, const Optimizer& optimizer) {
  const std::vector<NamedTensor>& parameters = optimizer.parameters();
  for (size_t i = 0; i < parameters.size(); ++i) {
    const at::Tensor average = optimizer.average(i);
    if (!average.defined()) continue;
    for (NamedTensor& tensor : tensors) {
      if (tensor.second.is_same(parameters[i].second))
        tensor.second = average.reshape(parameters[i].second.sizes());
    }
  }
}

// A saved state's weights with those that have a saved average replaced by it.
std::vector<NamedTensor> saved_averages(const State& state) {
  std::vector<NamedTensor> tensors = state.part("model").tensors;
  for (const auto& [name, average] : state.part("optimizer/average").tensors) {
    for (NamedTensor& tensor : tensors) {
      if (tensor.first == name) tensor.second = average;
    }
  }
  return tensors;
}

}  // namespace

Model::Model(std::string name, const ModelOptions& options)
    : name_(std::move(name)),
      layer_(registry<Layer>().make(options.build)),
      average_(options.average),
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
  if (optimizer_) optimizer_->attach(layer_->parameters(), kernels, average_);
  is_built_ = true;
  return output;
}

State Model::weights() const {
  std::vector<NamedTensor> tensors = model_tensors(*layer_);
  if (optimizer_) replace_by_averages(tensors, *optimizer_);
  return model_state(tensors);
}

State Model::state() const {
  State state = model_state(model_tensors(*layer_));
  if (optimizer_) state.add("optimizer", optimizer_->state());
  return state;
}

void Model::restore_weights(const State& state) {
  copy_into(model_tensors(*layer_), average_ ? saved_averages(state) : state.part("model").tensors,
            "Model '" + name_ + "'");
}

void Model::restore(const State& state) {
  copy_into(model_tensors(*layer_), state.part("model").tensors, "Model '" + name_ + "'");
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
