// A layer: building, the call path, and what reaches all layers below it.
#include "hearth/nn/layer.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/memory.h"
#include "hearth/base/text.h"
#include "hearth/config/place.h"
#include "hearth/config/registry.h"
#include "hearth/nn/description_edits.h"
#include "hearth/nn/edited_children.h"
#include "hearth/nn/init.h"
#include "hearth/nn/layer_edits.h"
#include "hearth/nn/layer_graph.h"
#include "hearth/nn/layer_places.h"
#include "hearth/nn/layer_scope.h"
#include "hearth/nn/time_profile.h"
#include "hearth/tensor/convert.h"

namespace hearth {
namespace {

// The system is not asked about less than this, which every machine has: a model may have thousands
// of layers.
constexpr uint64_t kAlwaysThere = 1 << 20;

std::string texts_of(std::span<const Spec> specs) {
  std::vector<std::string> texts;
  for (const Spec& spec : specs) texts.push_back(spec.text());
  return join(texts, "; ");
}

std::string texts_of(std::span<const at::Tensor> tensors) {
  std::vector<std::string> texts;
  for (const at::Tensor& tensor : tensors)
    texts.push_back(tensor.defined() ? hearth::describe(tensor) : "nothing");
  return join(texts, "; ");
}

// Of each thread for itself: several may call one layer at once.
thread_local const Layer* layer_falling_back = nullptr;

class FallingBack {
 public:
  explicit FallingBack(const Layer& layer) : before_(layer_falling_back) {
    layer_falling_back = &layer;
  }
  ~FallingBack() { layer_falling_back = before_; }
  FallingBack(const FallingBack&) = delete;
  FallingBack& operator=(const FallingBack&) = delete;

 private:
  const Layer* before_;
};

}  // namespace

Layer::Layer() = default;
Layer::~Layer() = default;

Spec Layer::build(const Spec& input, const BuildContext& context) {
  return build(std::span(&input, 1), context).front();
}

std::vector<Spec> Layer::build(std::span<const Spec> inputs, const BuildContext& context) {
  begin_build(inputs, context);
  BuildContext here = context;
  here.device = device_;
  std::vector<Spec> outputs = build_in_scope(inputs, here);
  if (context.is_again)
    note_again(inputs, outputs, context.shape);
  else
    shapes_[context.shape].outputs = outputs;
  const bool is_in_one_place = context.edits != nullptr && context.edits->places() == nullptr;
  if (context.is_first() && is_in_one_place && description_.is_empty())
    require_fitting_children(*this, inputs, outputs, device_);
  return outputs;
}

// For the time that its work is asked, it answers for this call.
void Layer::note_again(std::span<const Spec> inputs, const std::vector<Spec>& outputs,
                       size_t shape) {
  Shapes first = std::exchange(shapes_[shape], {{inputs.begin(), inputs.end()}, outputs});
  const size_t selected = std::exchange(shape_, shape);
  first.work_again += known_work();
  first.outputs_again.insert(first.outputs_again.end(), outputs.begin(), outputs.end());
  shapes_[shape] = std::move(first);
  shape_ = selected;
}

// What it is made of is built with its own `defaults` inside of those around it.
std::vector<Spec> Layer::build_in_scope(std::span<const Spec> inputs, const BuildContext& context) {
  const Node* defaults = choice_.options().find("defaults");
  if (defaults == nullptr || !defaults->is_map()) return guarded_prepare(inputs, context);
  const OptionScope scope(context.scope, *defaults);
  BuildContext own = context;
  own.scope = &scope;
  std::vector<Spec> outputs = guarded_prepare(inputs, own);
  if (context.is_first()) require_met(scope, *this);
  return outputs;
}

void Layer::begin_build(std::span<const Spec> inputs, const BuildContext& context) {
  if (context.is_first()) shapes_.clear();
  if (!context.is_again) {
    shapes_[context.shape] = {{inputs.begin(), inputs.end()}, {}};
    shape_ = context.shape;
  }
  is_first_build_ = context.is_first();
  if (!is_first_build_) return;
  tree_.set_path(context.path);
  kernels_ = context.kernels;
  const LayerPlaces* places = context.edits == nullptr ? nullptr : context.edits->places();
  device_ = places == nullptr ? context.device : places->device_of(context.path, context.device);
  // A build that failed half-way leaves nothing behind for the next one.
  tree_.clear();
  graph_.reset();
  description_ = {};
}

// LibTorch's words, without its frames, at the layer that asked for something it cannot do.
std::vector<Spec> Layer::guarded_prepare(std::span<const Spec> inputs,
                                         const BuildContext& context) {
  try {
    std::vector<Spec> outputs = prepare(inputs, context);
    for (const Spec& output : outputs) check_sample_fits(output);
    return outputs;
  } catch (const std::exception&) {
    throw GraphError(path() + ": cannot be built for " + texts_of(inputs) + ": " +
                     what_libtorch_threw());
  }
}

void Layer::check_sample_fits(const Spec& output) const {
  if (output.is_ragged()) return;  // nobody knows yet
  const auto bytes = static_cast<uint64_t>(output.bytes());
  if (bytes > kAlwaysThere && bytes > available_memory())
    throw GraphError(path() + ": one sample of what it makes, " + output.text() + ", needs " +
                     human_bytes(bytes) + ", but this machine has " +
                     human_bytes(available_memory()) + ". Use smaller layers or smaller images.");
}

Description Layer::describe(std::span<const Spec>, const BuildContext&) { return {}; }

std::vector<Spec> Layer::prepare(std::span<const Spec> inputs, const BuildContext& context) {
  Description description = describe(inputs, context);
  if (!description.is_empty()) return build_described(std::move(description), inputs, context);
  if (inputs.size() == 1) return {prepare(inputs.front(), context)};
  throw GraphError(path() + ": takes one input, but got " + std::to_string(inputs.size()) + " (" +
                   texts_of(inputs) + "). Join them before it, for instance with concat or add.");
}

std::vector<Spec> Layer::build_described(Description description, std::span<const Spec> inputs,
                                         const BuildContext& context) {
  if (context.scope != nullptr)
    for (LayerNode& node : description.nodes) node.layer = scoped(node.layer, context);
  put_activations(description);
  if (context.edits != nullptr)
    context.edits->apply(description, context.path, edit_place_.first_below());
  LayerGraph graph;
  std::vector<Spec> outputs = graph.build(description, inputs, context, *this);
  if (context.is_first()) {
    graph_ = std::make_unique<LayerGraph>(std::move(graph));
    description_ = std::move(description);
  }
  return outputs;
}

Spec Layer::prepare(const Spec&, const BuildContext&) {
  throw InternalError(path() + ": the layer has neither `describe` nor `prepare`.");
}

at::Tensor Layer::forward(const at::Tensor& input) {
  if (graph_) return graph_->run(input, {});
  // Each of the two forms falls back to the other one.
  if (layer_falling_back == this) throw InternalError(path() + ": the layer has no `forward`.");
  const FallingBack falling_back(*this);
  at::Tensor output;
  forward(std::span(&input, 1), std::span(&output, 1));
  return output;
}

at::Tensor Layer::forward(const at::Tensor& input, const Tail& tail) {
  if (graph_) return graph_->run(input, tail);
  return apply_tail(forward(input), tail);
}

void Layer::forward(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) {
  if (graph_) return graph_->run(inputs, outputs);
  outputs[0] = forward(inputs[0]);
}

const Spec& Layer::input_spec() const {
  static const Spec kNothing;
  const auto found = shapes_.find(shape_);
  return found == shapes_.end() ? kNothing : found->second.inputs.front();
}

const Spec& Layer::output_spec() const {
  static const Spec kNothing;
  const auto found = shapes_.find(shape_);
  return found == shapes_.end() || found->second.outputs.empty() ? kNothing
                                                                 : found->second.outputs.front();
}

std::vector<Spec> Layer::outputs_again() const {
  const auto found = shapes_.find(shape_);
  return found == shapes_.end() ? std::vector<Spec>() : found->second.outputs_again;
}

void Layer::select_shape(size_t shape) {
  if (shapes_.contains(shape)) shape_ = shape;
  for (const auto& [name, layer] : tree_.own_children()) layer->select_shape(shape);
}

at::Tensor Layer::guarded(const at::Tensor& value, const Tail& tail) {
  try {
    return forward(value, tail);
  } catch (const std::exception&) {
    throw GraphError(path() + ": cannot run on " + hearth::describe(value) + ", it was built for " +
                     input_spec().text() + ": " + what_libtorch_threw());
  }
}

// A product has two factors; the gradient of each takes as much work as the product.
double Layer::wanted_gradients(const at::Tensor& input) const {
  if (!at::GradMode::is_enabled()) return 0;
  const double of_input = input.requires_grad() ? 1 : 0;
  const std::vector<OwnTensor>& parameters = tree_.own_parameters();
  if (parameters.empty()) return 2 * of_input;
  const bool learns = std::any_of(parameters.begin(), parameters.end(),
                                  [](const OwnTensor& own) { return own.tensor->requires_grad(); });
  return of_input + (learns ? 1 : 0);
}

// Of an input of another size than that it was built for, as a layer gets that is called again:
// as many as have so many values.
double Layer::samples_in(const at::Tensor& input) const {
  if (input.dim() == 0) return 1;
  const Spec& spec = input_spec();
  const int64_t values = spec.is_ragged() || spec.is_per_batch ? 0 : spec.elements();
  return values == 0 ? static_cast<double>(input.size(0))
                     : static_cast<double>(input.numel()) / static_cast<double>(values);
}

void Layer::report_call(TimeProfile& profile, const at::Tensor& input) const {
  const double multiply_adds = known_work() * samples_in(input);
  profile.enter(path(), multiply_adds, multiply_adds * wanted_gradients(input));
}

// A graph may outlive the form its parameters have; that of a step does not.
void Layer::unpack_for_call() const {
  if (!packing_.is_in_step() && at::GradMode::is_enabled()) packing_.unpack(tree_.own_parameters());
}

at::Tensor Layer::operator()(const at::Tensor& input, const Tail& tail) {
  const ProfiledScope profiled(calls_.profile(),
                               [&](TimeProfile& profile) { report_call(profile, input); });
  unpack_for_call();
  if (!calls_.has_hooks()) return guarded(input, tail);
  at::Tensor value = input;
  calls_.before(*this, value);
  // A hook after this layer wants to see its own output, without the tail.
  if (!calls_.has_hooks_after()) return guarded(value, tail);
  value = guarded(value, {});
  calls_.after(*this, value);
  return apply_tail(value, tail);
}

void Layer::operator()(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) {
  const ProfiledScope profiled(calls_.profile(),
                               [&](TimeProfile& profile) { report_call(profile, inputs.front()); });
  unpack_for_call();
  std::vector<at::Tensor> values(inputs.begin(), inputs.end());
  for (at::Tensor& value : values)
    if (value.defined()) calls_.before(*this, value);
  try {
    forward(std::span<const at::Tensor>(values), outputs);
  } catch (const std::exception&) {
    throw GraphError(path() + ": cannot run on " + texts_of(values) + ", it was built for " +
                     texts_of(shapes_.at(shape_).inputs) + ": " + what_libtorch_threw());
  }
  for (at::Tensor& output : outputs)
    if (output.defined()) calls_.after(*this, output);
}

void Layer::clear_hooks() {
  calls_.clear_hooks();
  for (const auto& [name, layer] : tree_.own_children()) layer->clear_hooks();
}

bool Layer::is_hooked() const {
  if (calls_.has_hooks()) return true;
  const auto& below = tree_.own_children();
  return std::any_of(below.begin(), below.end(),
                     [](const auto& child) { return child.second->is_hooked(); });
}

void Layer::set_profile(TimeProfile* profile) {
  calls_.set_profile(profile);
  for (const auto& [name, layer] : tree_.own_children()) layer->set_profile(profile);
}

void Layer::set_training(bool is_training) {
  is_training_ = is_training;
  for (const auto& [name, layer] : tree_.own_children()) layer->set_training(is_training);
}

void Layer::set_trainable(bool is_trainable) {
  for (const auto& [name, tensor] : handles()) tensor.set_requires_grad(is_trainable);
}

Parameters Layer::parameters() const {
  unpack_weights(*this);
  return {tree_.ordinary_parameters(), packing_.hold()};
}

int64_t Layer::parameter_count() const {
  int64_t count = 0;
  for (const auto& [name, tensor] : handles()) count += tensor.numel();
  return count;
}

// Of lengths that differ from batch to batch nobody knows the work.
double Layer::known_work() const {
  return input_spec().is_ragged() || output_spec().is_ragged() ? 0 : work();
}

double Layer::total_work() const {
  const auto found = shapes_.find(shape_);
  double sum = known_work() + (found == shapes_.end() ? 0 : found->second.work_again);
  for (const auto& [name, layer] : tree_.own_children()) sum += layer->total_work();
  return sum;
}

std::vector<std::pair<std::string, Layer*>> Layer::children() const {
  std::vector<std::pair<std::string, Layer*>> found;
  for (const auto& [name, layer] : tree_.own_children()) found.emplace_back(name, layer.get());
  return found;
}

std::vector<const Layer*> Layer::computed_along() const {
  return graph_ ? graph_->fused() : std::vector<const Layer*>();
}

// For a later shape: the tensor that is there, as long as it fits that shape too.
at::Tensor& Layer::registered(const OwnTensor* known, const std::string& name,
                              const at::Tensor& value) const {
  if (known == nullptr)
    throw GraphError(path() + ": has the parameter " + quote(name) +
                     " for this input, but not for the one it was built for. Use inputs of one "
                     "size, or a second model.");
  if (value.sizes() == known->sizes) return *known->tensor;
  throw GraphError(path() + ": its " + name + " is " + shape_text(known->sizes) +
                   ", but this input needs " + shape_text(value.sizes()) +
                   ". Only a model whose parameters do not depend on the size takes several: put "
                   "global_average_pool before linear layers, or use inputs of one size.");
}

at::Tensor& Layer::add_parameter(const std::string& name, const at::Tensor& value) {
  if (!is_first_build_) return registered(tree_.find_parameter(name), name, value);
  return tree_.add_parameter(name, value.to(device_));
}

at::Tensor& Layer::add_buffer(const std::string& name, const at::Tensor& value) {
  if (!is_first_build_) return registered(tree_.find_buffer(name), name, value);
  return tree_.add_buffer(name, value.to(device_));
}

Layer* Layer::child_of(const LayerNode& node, const BuildContext& context) {
  const std::string& name = node.name;
  const bool is_edited = context.edits != nullptr && !name.empty();
  const Choice<Layer> choice = is_edited ? context.edits->wrapped(node) : node.layer;
  if (context.is_first()) {
    Layer& added = tree_.add_child(name, registry<Layer>().make(choice));
    added.set_choice(choice);
    added.set_edit_place(node.place);
    added.tree_.set_path(name.empty() || context.path.empty() ? context.path + name
                                                              : context.path + "." + name);
    return &added;
  }
  Layer* known = tree_.find_child(name);
  if (known != nullptr && known->choice().name() == choice.name() &&
      known->choice().options() == choice.options())
    return known;
  throw GraphError(path() + ": its " + quote(name) + " is " + (known == nullptr ? "new" : "other") +
                   " for this input. Say the options that follow from the input's size, or use "
                   "inputs of one size.");
}

Layer* Layer::add_child(const std::string& name, const Choice<Layer>& choice, const Spec& input,
                        const BuildContext& context) {
  return at_place(choice.options().mark(), [&] {
    LayerNode node{name, scoped(choice, context)};
    node.place = name.empty() ? edit_place_.inside() : EditPlace{edit_place_.first_below()};
    if (context.edits != nullptr && !name.empty()) context.edits->apply(node, context.path);
    Layer* child = child_of(node, context);
    refuse_activation(child->choice());
    BuildContext own = context;
    own.path = child->path();
    (void)child->build(input, own);
    return child;
  });
}

}  // namespace hearth
