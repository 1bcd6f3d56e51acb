// Who is told that a parameter has all of its gradient.
#include "hearth/network/gradient_hooks.h"

#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/utils/lambda_post_hook.h>
#include <torch/csrc/autograd/variable.h>

namespace hearth {

using torch::autograd::variable_list;

// The graph alone keeps what gathers a parameter's gradient: for a parameter that has none, no
// graph leads to it.
GradientHooks::GradientHooks(std::span<const at::Tensor> parameters,
                             const std::function<void(size_t)>& found) {
  for (size_t i = 0; i < parameters.size(); ++i) {
    auto gatherer = torch::autograd::impl::try_get_grad_accumulator(parameters[i]);
    if (!gatherer) continue;
    const uintptr_t key =
        gatherer->add_post_hook(std::make_unique<torch::autograd::utils::LambdaPostHook>(
            [found, i](const variable_list& outputs, const variable_list&) {
              found(i);
              return outputs;
            }));
    hooks_.emplace_back(std::move(gatherer), key);
  }
}

GradientHooks::~GradientHooks() {
  for (const auto& [gatherer, key] : hooks_) gatherer->del_post_hook(key);
}

}  // namespace hearth
