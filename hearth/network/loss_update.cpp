// An op that takes the gradient of a loss by a model's parameters and moves them.
#include "hearth/network/loss_update.h"

#include "hearth/tensor/batch_loss.h"

namespace hearth {

void LossUpdate::bind(ModelSet& models) {
  Model& model = models.find(wanted_.model);
  mover_ = Mover({&model}, wanted_.optimizer, wanted_.op);
  models.gradients.claim_for_update(model);
}

std::vector<Spec> LossUpdate::infer(const std::vector<Spec>& inputs) {
  check_batch_loss({wanted_.loss, inputs[0]});
  mover_.check_built();
  return {};
}

void LossUpdate::take_step(StepContext& context, double clip_norm, std::span<Mover* const> others) {
  mover_.show_gradients(context.watch, others, context.ranks);
  mover_.step(context.moment, clip_norm, {others, context.crew, context.ranks});
  mover_.drop_gradients();
  for (Mover* other : others) other->drop_gradients();
  context.has_updated = true;
}

}  // namespace hearth
