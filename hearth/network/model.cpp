// A named model: a layer tree, its optimizers, and whether it learns.
#include "hearth/network/model.h"

#include <algorithm>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/memory.h"
#include "hearth/base/text.h"
#include "hearth/config/place.h"
#include "hearth/config/registry.h"
#include "hearth/nn/layer_init.h"
#include "hearth/nn/layer_scope.h"
#include "hearth/tensor/device_name.h"

namespace hearth {
namespace {

// Of parameters, before anybody counts all of them.
constexpr uint64_t kFilledUncounted = 32 << 20;

std::vector<NamedTensor> model_tensors(const Layer& layer) {
  std::vector<NamedTensor> tensors = layer.parameters();
  for (NamedTensor& buffer : layer.buffers()) tensors.push_back(std::move(buffer));
  return tensors;
}

std::string input_texts(std::span<const Spec> specs) {
  std::vector<std::string> texts;
  for (const Spec& spec : specs) texts.push_back(spec.text());
  return join(texts, "; ");
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

// The layer that a config names, which remembers what it was made from.
std::unique_ptr<Layer> made_layer(const Choice<Layer>& build) {
  std::unique_ptr<Layer> layer = registry<Layer>().make(build);
  refuse_options(build, {"name", "in", "out"},
                 "only a layer of a graph can. A model's keys stand in its call, in the shorthand "
                 "as `input`.");
  refuse_activation(build);
  layer->set_choice(build);
  return layer;
}

at::Device device_for(const std::string& pattern, const std::string& device) {
  try {
    return device_from(device);
  } catch (const ConfigError& error) {
    throw ConfigError("place of " + quote(pattern) + ": " + error.message());
  }
}

}  // namespace

Model::Model(std::string name, const ModelOptions& options)
    : Model(std::move(name), options, made_layer(options.build)) {}

Model::Model(std::string name, const ModelOptions& options, std::unique_ptr<Layer> layer)
    : name_(std::move(name)),
      layer_(std::move(layer)),
      optimizers_(name_, options),
      average_(options.average),
      mark_(options.build.options().mark()),
      edits_(options.edits, name_),
      defaults_(options.defaults),
      place_(options.place),
      is_trainable_(options.trainable) {}

Spec Model::build(const Spec& input, uint64_t seed, int64_t classes, at::Device device,
                  Kernels kernels) {
  BuildContext context;
  context.seed = seed;
  context.classes = classes;
  context.device = device;
  context.kernels = kernels;
  return build(std::span(&input, 1), context).front();
}

std::vector<Spec> Model::build(std::span<const Spec> inputs, const BuildContext& context) {
  const size_t known = find_shape(inputs);
  if (known < shapes_.size()) return layer_->output_specs(known);
  BuildContext own = context;
  own.path = name_;
  own.edits = &edits_;
  const OptionScope scope(nullptr, defaults_.node());
  scope.meet(layer_->choice().name());
  if (defaults_.node().is_map()) own.scope = &scope;
  own.shape = shapes_.size();
  // What learns needs its gradients beside it.
  uint64_t room = available_memory() / (optimizers_.all().empty() ? 1 : 2);
  own.room_bytes = &room;
  std::vector<Spec> outputs = is_built_ ? build_again(inputs, own) : build_first(inputs, own);
  shapes_.emplace_back(inputs.begin(), inputs.end());
  return outputs;
}

std::vector<Spec> Model::build_first(std::span<const Spec> inputs, const BuildContext& context) {
  std::map<std::string, at::Device> devices;
  at_place(mark_, [&] {
    for (const auto& [pattern, device] : place_)
      devices.emplace(pattern, device_for(pattern, device));
  });
  const LayerPlaces places(std::move(devices), name_);
  edits_.set_places(place_.empty() ? nullptr : &places);
  std::vector<Spec> outputs = at_place(mark_, [&] { return build_layers(inputs, context); });
  if (context.scope != nullptr) require_met(*context.scope, *layer_);
  layer_->set_trainable(is_trainable_);
  edits_.finish(*layer_);
  edits_.set_places(nullptr);
  apply_initializers(*layer_, context);
  if (!place_.empty()) at_place(mark_, [&] { places.finish(*layer_, context.device); });
  optimizers_.attach(layer_->parameters(), context.kernels, average_);
  is_built_ = true;
  if (!waiting_.tensors.empty()) take_weights(std::exchange(waiting_, {}));
  return outputs;
}

// Most models are small: only those that are not are built a second time.
std::vector<Spec> Model::build_layers(std::span<const Spec> inputs, const BuildContext& context) {
  uint64_t& room = *context.room_bytes;
  const uint64_t all = room;
  const Choice<Layer> choice = layer_->choice();
  if (choice.is_empty() || all <= kFilledUncounted) return layer_->build(inputs, context);
  const LayerEdits edits = edits_;
  room = kFilledUncounted;
  try {
    return layer_->build(inputs, context);
  } catch (const Error&) {
    if (room > 0) throw;
  }
  room = all;
  check_room(inputs, context);
  room = all;
  edits_ = edits;
  layer_ = made_layer(choice);
  return layer_->build(inputs, context);
}

// Parameters that are shapes alone, in other layers.
void Model::check_room(std::span<const Spec> inputs, const BuildContext& context) {
  LayerEdits edits(edits_);
  edits.set_places(nullptr);
  BuildContext counting = context;
  counting.device = at::kMeta;
  counting.edits = &edits;
  try {
    (void)made_layer(layer_->choice())->build(inputs, counting);
  } catch (const Error&) {
    // What else is wrong shows again, or only without values.
    if (*context.room_bytes == 0) throw;
  }
}

std::vector<Spec> Model::build_again(std::span<const Spec> inputs, const BuildContext& context) {
  try {
    std::vector<Spec> outputs = layer_->build(inputs, context);
    layer_->select_shape(shape_);
    return outputs;
  } catch (const GraphError& error) {
    layer_->select_shape(shape_);
    throw GraphError("Model '" + name_ + "' is built for " + input_texts(shapes_.front()) +
                     ", but is called with " + input_texts(inputs) + ": " + error.message());
  }
}

// Where it stands among the known ones; their number when it is new.
size_t Model::find_shape(std::span<const Spec> inputs) const {
  const auto is_same = [&](const std::vector<Spec>& known) {
    return std::equal(known.begin(), known.end(), inputs.begin(), inputs.end(),
                      [](const Spec& left, const Spec& right) {
                        return left.dtype == right.dtype && left.shape == right.shape;
                      });
  };
  return static_cast<size_t>(std::find_if(shapes_.begin(), shapes_.end(), is_same) -
                             shapes_.begin());
}

void Model::select_shape(std::span<const Spec> inputs) {
  if (shapes_.size() < 2) return;
  const size_t wanted = find_shape(inputs);
  if (wanted == shape_ || wanted == shapes_.size()) return;
  shape_ = wanted;
  layer_->select_shape(wanted);
}

State Model::weights() const {
  if (!is_built_) return waiting_;
  std::vector<NamedTensor> tensors = model_tensors(*layer_);
  for (const ModelOptimizers::Named& named : optimizers_.all())
    replace_by_averages(tensors, *named.optimizer);
  return model_state(tensors);
}

State Model::state() const { return with(optimizers_.state()); }
State Model::common_state() const { return with(optimizers_.common_state()); }
State Model::whole_state(const std::vector<State>& of_ranks) const {
  return with(optimizers_.whole_state(of_ranks));
}

State Model::with(const State& optimizers) const {
  State state = model_state(model_tensors(*layer_));
  state.tensors.insert(state.tensors.end(), optimizers.tensors.begin(), optimizers.tensors.end());
  state.values.update(optimizers.values);
  return state;
}

void Model::restore_weights(const State& state) {
  std::vector<NamedTensor> saved = state.part("model").tensors;
  if (is_averaged())
    for (const auto& [name, average] : optimizers_.saved_averages(state))
      for (NamedTensor& tensor : saved)
        if (tensor.first == name) tensor.second = average;
  const State weights = model_state(saved);
  if (is_built_)
    take_weights(weights);
  else
    waiting_ = weights;
}

void Model::take_weights(const State& weights) {
  copy_into(model_tensors(*layer_), weights.part("model").tensors, "Model '" + name_ + "'");
}

void Model::restore(const State& state) {
  copy_into(model_tensors(*layer_), state.part("model").tensors, "Model '" + name_ + "'");
  optimizers_.restore(state);
}

void ModelSet::set_targets(std::map<std::string, int64_t> found) {
  targets = std::move(found);
  classes = targets.empty() ? 0 : targets.begin()->second;
  for (const auto& [key, number] : targets)
    if (number != classes) classes = 0;
}

BuildContext ModelSet::build_context() const {
  BuildContext context;
  context.seed = seed;
  context.classes = classes;
  context.kernels = kernels;
  context.device = device;
  context.targets = targets;
  return context;
}

Model& ModelSet::find(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& model : models_) {
    if (model->name() == name) return *model;
    names.push_back(model->name());
  }
  throw ConfigError("there is no model '" + name + "'." + did_you_mean(name, names));
}

}  // namespace hearth
