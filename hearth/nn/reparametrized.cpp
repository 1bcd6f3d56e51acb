// A layer around another one whose weight is computed anew for every call.
#include "hearth/nn/reparametrized.h"

#include <torch/csrc/autograd/variable.h>

#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/nn/requirements.h"

namespace hearth {
namespace {

// Makes `weight` the same values as `computed`, with the same way back. Whoever keeps the tensor
// computes with these from now on.
void become(const at::Tensor& weight, const at::Tensor& computed) {
  weight.set_data(computed.detach());
  torch::autograd::impl::set_gradient_edge(
      weight, computed.grad_fn() ? torch::autograd::impl::gradient_edge(computed)
                                 : torch::autograd::Edge());
}

}  // namespace

Reparametrized::Reparametrized(std::string name, std::optional<Choice<Layer>> layer,
                               std::string parameter)
    : name_(std::move(name)), layer_(std::move(layer)), parameter_(std::move(parameter)) {}

Spec Reparametrized::prepare(const Spec& input, const BuildContext& context) {
  if (context.is_first()) {
    const Choice<Layer> choice = wrapped_layer(context, name_, layer_);
    inner_ = registry<Layer>().make(choice);
    inner_->set_choice(choice);
    inner_->set_edit_place(edit_place().inside());
    // Nothing packs its parameters, so that nothing has to unpack them.
    set_in_step(*inner_, true);
  }
  Spec output = inner_->build(input, context);
  adopt_parameters(context);
  return output;
}

void Reparametrized::adopt_parameters(const BuildContext& context) {
  std::vector<std::string> names;
  at::Tensor found;
  for (const auto& [name, tensor] : inner_->handles()) {
    names.push_back(name);
    if (name == parameter_)
      found = tensor;
    else
      (void)add_parameter(name, tensor);
  }
  for (const auto& [name, tensor] : inner_->buffers()) (void)add_buffer(name, tensor);
  if (!found.defined())
    throw GraphError(context.path + " " + name_ + ": the layer inside, " + inner_->choice().name() +
                     ", has no parameter " + quote(parameter_) + "." +
                     did_you_mean(parameter_, names));
  split(context.is_first() ? found.detach().clone() : found, context);
  if (context.is_first()) found.set_requires_grad(false);
  weight_ = found;
}

void Reparametrized::require_dimension(const BuildContext& context, const at::Tensor& weight,
                                       int64_t dim) const {
  if (dim < weight.dim()) return;
  throw GraphError(context.path + " " + name_ + ": dim is " + std::to_string(dim) + ", but " +
                   quote(parameter_) + " of " + inner_->choice().name() + " has " +
                   std::to_string(weight.dim()) + " dimensions, from 0 on.");
}

// The layer inside has one weight, which every call sets: threads take turns.
at::Tensor Reparametrized::forward(const at::Tensor& input, const Tail& tail) {
  const std::lock_guard turn(turn_);
  inner_->set_training(is_training());
  become(weight_, weight());
  return (*inner_)(input, tail);
}

}  // namespace hearth
