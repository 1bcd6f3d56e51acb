// The weights of a run or an exported model.
#include "hearth/train/run_weights.h"

#include "hearth/base/error.h"
#include "hearth/base/long_work.h"

namespace hearth {

void use_weights(const RunFolder& folder, const std::string& checkpoint,
                 const CheckpointFolder::Use& use) {
  if (folder.is_model()) return use(read_state(folder.weights(), kWeightsKind));
  const CheckpointFolder checkpoints(folder.checkpoints());
  const bool wants_best = checkpoint == "best" && checkpoints.has("best");
  if (wants_best || (checkpoint != "best" && checkpoint != "last"))
    return use(checkpoints.named(checkpoint));
  const auto found = checkpoints.newest(use);
  if (!found)
    throw DataError(folder.path().string() +
                    " has no checkpoint yet. Train it first: hearth train --resume " +
                    folder.path().string());
  for (const std::string& reason : found->skipped)
    tell_work_note("skipped a checkpoint: " + reason);
}

std::string digest_of(const Network& network, bool with_optimizer) {
  State all;
  for (const auto& model : network.models().all())
    all.add(model->name(), with_optimizer ? network.model_state(*model) : model->weights());
  return digest_of(all);
}

}  // namespace hearth
