// What a rank's gradients left for later steps.
#include "hearth/network/leftovers.h"

#include <ATen/ops/isfinite.h>

namespace hearth {

at::Tensor Leftovers::with(const Parcel& parcel, const Parcel::Part& part) const {
  const at::Tensor values = parcel.ordinary(part);
  const std::scoped_lock lock(mutex_);
  const auto known = left_.find(part.name);
  return known == left_.end() ? values.clone() : values.add(known->second);
}

void Leftovers::keep(const Parcel::Part& part, at::Tensor left) {
  left.masked_fill_(at::isfinite(left).logical_not_(), 0);
  const std::scoped_lock lock(mutex_);
  left_[part.name] = std::move(left);
}

State Leftovers::state() const {
  const std::scoped_lock lock(mutex_);
  State state;
  state.tensors.assign(left_.begin(), left_.end());
  return state;
}

void Leftovers::restore(const State& state) {
  const std::scoped_lock lock(mutex_);
  left_.clear();
  for (const auto& [name, left] : state.tensors) left_[name] = left.clone();
}

}  // namespace hearth
