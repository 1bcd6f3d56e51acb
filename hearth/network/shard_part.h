// What the shards of a batch found, and how that becomes the batch's.
#pragma once

#include <span>
#include <vector>

#include "hearth/core/graph.h"
#include "hearth/network/bound_op.h"
#include "hearth/network/tensor_packet.h"

namespace hearth {

// What one shard has of the batch that runs.
struct ShardPart {
  StepContext context;
  std::vector<at::Tensor> values;
  std::vector<LossCount> counts;  // of the values
};

// How the outputs of an op become those of the batch. ConfigError when that cannot be.
[[nodiscard]] std::vector<Joining> joinings_of(const BoundOp& bound, const Plan& plan,
                                               const std::vector<bool>& are_losses);
// Keeps no more than what is joined; all else that the autograd graph holds on to goes.
void keep_joined(std::span<const BoundOp> ops, std::vector<at::Tensor>& values);
// What the loss of all of them is the mean of.
[[nodiscard]] LossCount joined_count(size_t index, std::span<const ShardPart> parts);
// What is wanted of the ops' outputs, for the whole batch.
void join_values(std::span<const BoundOp> ops, std::span<const ShardPart> parts,
                 std::vector<at::Tensor>& values);

// For ranks: all that `join_values` needs of a rank's parts, as tensors one after the other.
void add_joined(std::span<const BoundOp> ops, std::span<const ShardPart> own, TensorPacket& packet);
// And back into these parts; how many tensors were taken.
size_t take_joined(std::span<const BoundOp> ops, const TensorPacket& packet,
                   std::span<ShardPart> parts);
// The same of nothing but what the op's outputs are the mean of.
void add_counts(const BoundOp& bound, std::span<const ShardPart> own, TensorPacket& packet);
void take_counts(const BoundOp& bound, const TensorPacket& packet, std::span<ShardPart> parts);

}  // namespace hearth
