// Ops of a training step that is made of what comes first.
#include "hearth/network/gathered_ops.h"

#include <string>

#include "hearth/base/error.h"

namespace hearth {
namespace {

[[noreturn]] void refuse(const BoundOp& bound, const std::string& why) {
  throw ConfigError("sync_replicas: " + bound.label + " " + why, bound.mark.place());
}

void check_update(const BoundOp& bound) {
  if (bound.op->batches_per_step() > 1)
    refuse(bound,
           "makes a step of several batches, but what came first is known for each batch. Leave "
           "`accumulate` out; an `aggregate` above `total` computes a larger batch in parts.");
  if (!bound.op->gathers())
    refuse(bound,
           "cannot make a step of what came first; `update` can. Leave sync_replicas out, or use "
           "update.");
}

}  // namespace

size_t end_of_update(std::span<const BoundOp> ops) {
  size_t end = 0;
  while (end < ops.size() && ops[end].op->sharing() == Sharing::kParts) ++end;
  return end + 1;
}

void check_gathered(std::span<const BoundOp> ops) {
  const BoundOp* update = nullptr;
  for (const BoundOp& bound : ops) {
    const Sharing sharing = bound.op->sharing();
    if (sharing == Sharing::kJoined) {
      if (update != nullptr)
        refuse(bound, "comes after " + update->label +
                          ", but a step has one update. Leave sync_replicas out, or train the "
                          "models one after the other.");
      check_update(bound);
      update = &bound;
    } else if (sharing == Sharing::kParts && update != nullptr) {
      refuse(bound, "computes on the batch after " + update->label +
                        ", when the batch may be incomplete. Put it before the update.");
    } else if (sharing == Sharing::kOnce && update == nullptr) {
      refuse(bound,
             "changes what the update takes. Put it after the update, or leave "
             "sync_replicas out.");
    }
  }
}

}  // namespace hearth
