// An op that changes gradients where they lie.
#include "hearth/network/gradient_op.h"

#include <c10/core/GradMode.h>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

void check_gradients(const KeySpec& key) {
  if (key.spec.role == Role::kGradients) return;
  throw GraphError("needs gradients in " + quote(key.key) + ", but it is " + key.spec.text() +
                   ". Name the key that a backward writes.");
}

void GradientOp::bind(ModelSet& models) {
  mover_ = Mover(models.gradients.find(key_).models, "", "gradient op");
}

std::vector<Spec> GradientOp::infer(const std::vector<Spec>& inputs) {
  check_gradients({key_, inputs[0]});
  return {inputs[0]};
}

void GradientOp::run(StepContext& context, std::span<const at::Tensor>, std::span<at::Tensor>) {
  const c10::AutoGradMode no_grad(false);
  change(context, mover_.gradients());
}

}  // namespace hearth
