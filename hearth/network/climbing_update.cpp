// An update along the gradient of a place nearby where the loss is worse.
#include "hearth/network/climbing_update.h"

#include <c10/core/GradMode.h>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/kernels/weight/weight_order.h"

namespace hearth {

void ClimbingUpdate::run(StepContext& context, std::span<const at::Tensor> inputs,
                         std::span<at::Tensor>) {
  if (context.rerun == nullptr)
    throw GraphError(op_ + ": the loss " + quote(loss_key()) +
                     " is given from outside, so that nothing can run again.");
  mover().add_gradients(inputs[0], loss_key(), !context.is_last_update);
  const std::vector<at::Tensor> before = climb(context.moment);
  const at::Tensor loss = (*context.rerun)()[0];
  mover().add_gradients(loss, loss_key(), false);
  return_to(before);
  take_step(context, clip_norm(context.moment));
}

std::vector<at::Tensor> ClimbingUpdate::climb(const Moment& moment) {
  const c10::AutoGradMode no_grad(false);
  std::vector<at::Tensor> before;
  std::vector<at::Tensor> parameters;
  std::vector<at::Tensor> gradients;
  for (const auto& [name, parameter] : mover().handles()) {
    const at::Tensor& gradient = parameter.grad();
    before.push_back(gradient.defined() ? parameter.detach().clone() : at::Tensor());
    if (!gradient.defined()) continue;
    parameters.push_back(parameter.detach());
    gradients.push_back(laid_out_like(gradient, parameter));
  }
  const std::vector<at::Tensor> steps = climbs(parameters, gradients, moment);
  for (size_t i = 0; i < steps.size(); ++i) parameters[i].add_(steps[i]);
  mover().drop_gradients();
  return before;
}

void ClimbingUpdate::return_to(const std::vector<at::Tensor>& before) const {
  const c10::AutoGradMode no_grad(false);
  const std::vector<NamedTensor> handles = mover().handles();
  for (size_t i = 0; i < handles.size(); ++i)
    if (before[i].defined()) handles[i].second.copy_(before[i]);
}

}  // namespace hearth
