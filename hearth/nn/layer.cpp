// The layer tree: building, the call path with its hooks, and walks over parameters and children.
#include "hearth/nn/layer.h"

#include <ATen/ops/relu.h>

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/nn/call_profile.h"
#include "hearth/tensor/convert.h"

namespace hearth {

Spec Layer::build(const Spec& input, const BuildContext& context) {
  path_ = context.path;
  kernels_ = context.kernels;
  input_ = input;
  // A build that failed half-way leaves nothing behind for the next one.
  parameters_.clear();
  sizes_.clear();
  buffers_.clear();
  children_.clear();
  output_ = prepare(input, context);
  return output_;
}

namespace {

at::Tensor apply_tail(const at::Tensor& value, const Tail& tail) {
  const at::Tensor sum = tail.addend.defined() ? value.add(tail.addend) : value;
  return tail.relu ? at::relu(sum) : sum;
}

}  // namespace

at::Tensor Layer::guarded(const at::Tensor& value, const Tail& tail) {
  try {
    return forward(value, tail);
  } catch (const std::exception&) {
    throw GraphError(path_ + ": cannot run on " + describe(value) + ", it was built for " +
                     input_.text() + ": " + what_libtorch_threw());
  }
}

// A product has two factors; the gradient of each takes as much work as the product.
double Layer::wanted_gradients(const at::Tensor& input) const {
  if (!at::GradMode::is_enabled()) return 0;
  const double of_input = input.requires_grad() ? 1 : 0;
  if (parameters_.empty()) return 2 * of_input;
  const bool learns = std::any_of(parameters_.begin(), parameters_.end(),
                                  [](const auto& entry) { return entry.second->requires_grad(); });
  return of_input + (learns ? 1 : 0);
}

void Layer::report_call(CallProfile& profile, const at::Tensor& input) const {
  const auto samples = static_cast<double>(input.dim() > 0 ? input.size(0) : 1);
  const double multiply_adds = work() * samples;
  profile.enter(path_, multiply_adds, multiply_adds * wanted_gradients(input));
}

at::Tensor Layer::operator()(const at::Tensor& input, const Tail& tail) {
  const ProfiledCall profiled(profile_, [&](CallProfile& profile) { report_call(profile, input); });
  // A graph may outlive the form its parameters have; that of a step does not.
  if (!is_in_step_ && at::GradMode::is_enabled()) unpack_own();
  at::Tensor value = input;
  for (const Hook& hook : before_) hook(*this, value);
  // A hook after this layer wants to see its own output, without the tail.
  if (after_.empty()) return guarded(value, tail);
  value = guarded(value, {});
  for (const Hook& hook : after_) hook(*this, value);
  return apply_tail(value, tail);
}

at::Tensor Layer::forward(const at::Tensor& input, const Tail& tail) {
  return apply_tail(forward(input), tail);
}

void Layer::clear_hooks() {
  before_.clear();
  after_.clear();
  for (auto& [name, layer] : children_) layer->clear_hooks();
}

bool Layer::is_hooked() const {
  if (has_hooks()) return true;
  return std::any_of(children_.begin(), children_.end(),
                     [](const auto& child) { return child.second->is_hooked(); });
}

void Layer::set_profile(CallProfile* profile) {
  profile_ = profile;
  for (auto& [name, layer] : children_) layer->set_profile(profile);
}

void Layer::set_training(bool is_training) {
  is_training_ = is_training;
  for (auto& [name, layer] : children_) layer->set_training(is_training);
}

void Layer::set_trainable(bool is_trainable) {
  for (const auto& [name, tensor] : handles()) tensor.set_requires_grad(is_trainable);
}

// The tensors keep their identity, so that optimizers and layers that hold them follow.
void Layer::move_to(at::Device device) {
  for (const auto& [name, tensor] : parameters()) tensor.set_data(tensor.detach().to(device));
  for (const auto& [name, tensor] : buffers()) tensor.set_data(tensor.detach().to(device));
}

std::vector<NamedTensor> Layer::parameters() const {
  unpack();
  std::vector<NamedTensor> found;
  gather(Sort::kOrdinaryParameter, "", found);
  return found;
}

std::vector<NamedTensor> Layer::handles() const {
  std::vector<NamedTensor> found;
  gather(Sort::kParameter, "", found);
  return found;
}

std::vector<NamedTensor> Layer::buffers() const {
  std::vector<NamedTensor> found;
  gather(Sort::kBuffer, "", found);
  return found;
}

void Layer::set_in_step(bool is_in_step) {
  is_in_step_ = is_in_step;
  for (auto& [name, layer] : children_) layer->set_in_step(is_in_step);
}

void Layer::pack(size_t holders) {
  constexpr size_t kOwnHolders = 2;  // the list here, and the layer's member
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const at::Tensor& parameter = *parameters_[i].second;
    const bool may = parameter.requires_grad() && parameter.use_count() <= kOwnHolders + holders;
    const WeightOrder* order = may ? wanted_order(parameter) : nullptr;
    if (order != nullptr) {
      pack_parameter(parameter, *order);
    } else {
      unpack_parameter(parameter, sizes_[i]);
    }
  }
  for (auto& [name, layer] : children_) layer->pack(holders);
}

// The graph of a step that runs knows its parameters in the form they have.
void Layer::unpack_own() const {
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const at::Tensor& parameter = *parameters_[i].second;
    if (!is_in_step_ || !is_in_graph(parameter)) unpack_parameter(parameter, sizes_[i]);
  }
}

void Layer::unpack() const {
  unpack_own();
  for (const auto& [name, layer] : children_) layer->unpack();
}

int64_t Layer::parameter_count() const {
  int64_t count = 0;
  for (const auto& [name, tensor] : handles()) count += tensor.numel();
  return count;
}

double Layer::total_work() const {
  double sum = work();
  for (const auto& [name, layer] : children_) sum += layer->total_work();
  return sum;
}

std::vector<std::pair<std::string, Layer*>> Layer::children() const {
  std::vector<std::pair<std::string, Layer*>> found;
  for (const auto& [name, layer] : children_) found.emplace_back(name, layer.get());
  return found;
}

at::Tensor& Layer::add_parameter(const std::string& name, at::Tensor value) {
  value.set_requires_grad(true);
  sizes_.push_back(value.sizes().vec());
  parameters_.emplace_back(name, std::make_unique<at::Tensor>(std::move(value)));
  return *parameters_.back().second;
}

at::Tensor& Layer::add_buffer(const std::string& name, at::Tensor value) {
  buffers_.emplace_back(name, std::make_unique<at::Tensor>(std::move(value)));
  return *buffers_.back().second;
}

Spec Layer::add_child(const std::string& name, std::unique_ptr<Layer> child, const Spec& input,
                      const BuildContext& context) {
  BuildContext own = context;
  own.path = context.path.empty() ? name : context.path + "." + name;
  children_.emplace_back(name, std::move(child));
  return children_.back().second->build(input, own);
}

Spec Layer::add_chain(const std::vector<std::pair<std::string, Choice<Layer>>>& layers,
                      const Spec& input, const BuildContext& context) {
  Spec spec = input;
  for (const auto& [name, layer] : layers) {
    spec = add_child(name, registry<Layer>().make(layer), spec, context);
  }
  return spec;
}

bool Layer::takes_over(const Layer& next) const {
  return next.is_relu() && !next.has_hooks() && kernels_ == Kernels::kFast;
}

at::Tensor Layer::call_with_relu(Layer& layer, Layer& relu, const at::Tensor& input,
                                 const at::Tensor& addend) const {
  if (takes_over(relu)) return layer(input, {.addend = addend, .relu = true});
  return relu(layer(input, {.addend = addend}));
}

at::Tensor Layer::run_chain(const at::Tensor& input, const Tail& tail) {
  at::Tensor value = input;
  for (size_t i = 0; i < children_.size(); ++i) {
    const bool is_last = i + 1 == children_.size();
    if (!is_last && child(i + 1).is_relu()) {
      value = call_with_relu(child(i), child(i + 1), value);
      ++i;
    } else if (is_last) {
      return child(i)(value, tail);
    } else {
      value = child(i)(value);
    }
  }
  return apply_tail(value, tail);
}

void Layer::gather(Sort sort, const std::string& prefix, std::vector<NamedTensor>& found) const {
  const auto& own = sort == Sort::kBuffer ? buffers_ : parameters_;
  for (size_t i = 0; i < own.size(); ++i) {
    const at::Tensor& tensor = *own[i].second;
    const bool is_wanted = sort != Sort::kOrdinaryParameter || tensor.sizes() == sizes_[i];
    found.emplace_back(prefix + own[i].first, is_wanted ? tensor : tensor.reshape(sizes_[i]));
  }
  for (const auto& [name, layer] : children_) layer->gather(sort, prefix + name + ".", found);
}

}  // namespace hearth
