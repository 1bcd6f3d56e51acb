// Looks at losses and gradients before anything moves.
#include "hearth/train/step_guard.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hearth/base/text.h"
#include "hearth/tensor/finite.h"

namespace hearth {

std::optional<BatchRefused> unusable_loss(const Plan& plan, const std::vector<int>& losses,
                                          const std::vector<at::Tensor>& values) {
  for (const int index : losses) {
    const at::Tensor& tensor = values[static_cast<size_t>(index)];
    if (!tensor.defined() || tensor.dim() != 0 || !tensor.is_floating_point()) continue;
    const auto value = tensor.item<double>();
    if (!std::isfinite(value))
      return BatchRefused{BatchRefused::Stage::kLoss,
                          "the loss " + quote(plan.values[static_cast<size_t>(index)].key), value};
  }
  return std::nullopt;
}

void StepGuard::on_loss(const std::vector<at::Tensor>& values) {
  if (batch_.looks_at_losses) {
    if (auto found = unusable_loss(*batch_.plan, *batch_.losses, values)) throw std::move(*found);
    has_seen_losses_ =
        std::all_of(batch_.losses->begin(), batch_.losses->end(),
                    [&](const int index) { return values[static_cast<size_t>(index)].defined(); });
  }
  if (batch_.next != nullptr) batch_.next->on_loss(values);
  if (asked_) throw std::move(*std::exchange(asked_, std::nullopt));
}

void StepGuard::on_gradients(const std::string& model, std::span<const NamedTensor> gradients) {
  if (batch_.looks_at_gradients)
    for (const auto& [name, gradient] : gradients)
      if (!is_finite(gradient))
        throw BatchRefused{BatchRefused::Stage::kGradients,
                           "a value of the gradient of " + model + "." + name,
                           std::numeric_limits<double>::quiet_NaN()};
  if (batch_.next != nullptr && batch_.next->wants_gradients())
    batch_.next->on_gradients(model, gradients);
}

}  // namespace hearth
