// The sum of what shards found, in the order of ShardTree.
#pragma once

#include <span>

#include <ATen/core/Tensor.h>

#include "hearth/core/shard_tree.h"

namespace hearth {

// One that is undefined adds nothing.
[[nodiscard]] inline at::Tensor added(const at::Tensor& left, const at::Tensor& right) {
  if (!left.defined()) return right;
  return right.defined() ? left.add(right) : left;
}

// Undefined when all of them are; the only one itself when there is one.
[[nodiscard]] inline at::Tensor tree_sum(std::span<const at::Tensor> leaves) {
  if (leaves.empty()) return {};
  return ShardTree::sum(
      {0, static_cast<int64_t>(leaves.size())},
      [&](int64_t index) { return leaves[static_cast<size_t>(index)]; }, added);
}

}  // namespace hearth
