// What the shards of a batch found, and how that becomes the batch's.
#include "hearth/network/shard_part.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/scalar_tensor.h>

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/tensor/tree_sum.h"

namespace hearth {
namespace {

Joining joining_of(const BoundOp& bound, const PlanValue& value, bool is_loss) {
  if (!value.is_recorded && !is_loss) return Joining::kNone;
  if (bound.op->sharing() == Sharing::kOnce) return Joining::kFirst;
  if (!value.spec.is_per_batch) return Joining::kRows;
  if (is_floating(value.spec.dtype)) return Joining::kMean;
  throw ConfigError(bound.label + " writes '" + value.key + "', " + value.spec.text() +
                        " for the whole batch, and replicas would have to take the mean of it. "
                        "Use replicas: 1, or leave '" +
                        value.key + "' unmeasured.",
                    bound.mark.place());
}

// Calls use(index, joining) for every value that is joined.
template <class Use>
void for_joined(std::span<const BoundOp> ops, const Use& use) {
  for (const BoundOp& bound : ops)
    for (size_t k = 0; k < bound.outputs.size(); ++k)
      if (bound.outputs[k] >= 0 && bound.joinings[k] != Joining::kNone)
        use(static_cast<size_t>(bound.outputs[k]), bound.joinings[k]);
}

// What a part's loss is the mean of.
at::Tensor counted_in(size_t index, const ShardPart& part) {
  const at::Tensor& total = part.counts[index].total;
  if (total.defined()) return total.to(at::kDouble);
  const StepContext& context = part.context;
  return at::scalar_tensor(context.share * context.weight / context.sample_weight, at::kDouble);
}

// The sum of what `leaf` makes of each part.
template <class Leaf>
at::Tensor sum_of_parts(std::span<const ShardPart> parts, const Leaf& leaf) {
  std::vector<at::Tensor> leaves;
  for (const ShardPart& part : parts) leaves.push_back(leaf(part));
  return tree_sum(leaves);
}

at::Tensor joined(Joining joining, size_t index, std::span<const ShardPart> parts) {
  if (parts.size() == 1 || joining == Joining::kFirst) return parts[0].values[index];
  if (joining == Joining::kRows) {
    std::vector<at::Tensor> pieces;
    for (const ShardPart& part : parts) pieces.push_back(part.values[index]);
    const auto is_there = [](const at::Tensor& piece) { return piece.defined(); };
    if (!std::all_of(pieces.begin(), pieces.end(), is_there)) return {};
    return at::cat(pieces, 0);
  }
  if (const auto total = joined_count(index, parts).total; total.defined())
    return sum_of_parts(parts,
                        [&](const ShardPart& part) {
                          return part.values[index].mul(loss_divisor(counted_in(index, part)));
                        })
        .div(loss_divisor(total));
  return sum_of_parts(
      parts, [&](const ShardPart& part) { return part.values[index].mul(part.context.share); });
}

// Something stands for a sum, nothing for a mean.
void add_count(const LossCount& count, TensorPacket& packet) {
  packet.tensors.push_back(count.total);
  packet.tensors.push_back(count.is_sum ? at::scalar_tensor(1, at::kByte) : at::Tensor());
}

// Takes tensors out of a packet, one after the other.
struct PacketReader {
  at::Tensor take() { return packet.tensors.at(next++); }
  void take(LossCount& count) {
    count.total = take();
    count.is_sum = take().defined();
  }
  const TensorPacket& packet;
  size_t next = 0;
};

}  // namespace

std::vector<Joining> joinings_of(const BoundOp& bound, const Plan& plan,
                                 const std::vector<bool>& are_losses) {
  std::vector<Joining> joinings;
  for (const int index : bound.outputs) {
    const auto at = static_cast<size_t>(index);
    joinings.push_back(index < 0 ? Joining::kNone
                                 : joining_of(bound, plan.values[at], are_losses[at]));
  }
  return joinings;
}

void keep_joined(std::span<const BoundOp> ops, std::vector<at::Tensor>& values) {
  std::vector<at::Tensor> kept(values.size());
  for_joined(ops, [&](size_t index, Joining) {
    if (values[index].defined()) kept[index] = values[index].detach();
  });
  values = std::move(kept);
}

LossCount joined_count(size_t index, std::span<const ShardPart> parts) {
  LossCount count = parts[0].counts[index];
  const auto is_counted = [&](const ShardPart& part) { return part.counts[index].total.defined(); };
  if (std::any_of(parts.begin(), parts.end(), is_counted))
    count.total =
        sum_of_parts(parts, [&](const ShardPart& part) { return counted_in(index, part); });
  return count;
}

void join_values(std::span<const BoundOp> ops, std::span<const ShardPart> parts,
                 std::vector<at::Tensor>& values) {
  for_joined(ops,
             [&](size_t index, Joining joining) { values[index] = joined(joining, index, parts); });
}

void add_joined(std::span<const BoundOp> ops, std::span<const ShardPart> own,
                TensorPacket& packet) {
  for (const ShardPart& part : own)
    for_joined(ops, [&](size_t index, Joining joining) {
      if (joining == Joining::kFirst) return;
      packet.tensors.push_back(part.values[index]);
      add_count(part.counts[index], packet);
    });
}

size_t take_joined(std::span<const BoundOp> ops, const TensorPacket& packet,
                   std::span<ShardPart> parts) {
  PacketReader reader{packet};
  for (ShardPart& part : parts)
    for_joined(ops, [&](size_t index, Joining joining) {
      if (joining == Joining::kFirst) return;
      part.values[index] = reader.take();
      reader.take(part.counts[index]);
    });
  return reader.next;
}

void add_counts(const BoundOp& bound, std::span<const ShardPart> own, TensorPacket& packet) {
  for (const ShardPart& part : own)
    for (const int output : bound.outputs)
      if (output >= 0) add_count(part.counts[static_cast<size_t>(output)], packet);
}

void take_counts(const BoundOp& bound, const TensorPacket& packet, std::span<ShardPart> parts) {
  PacketReader reader{packet};
  for (ShardPart& part : parts)
    for (const int output : bound.outputs)
      if (output >= 0) reader.take(part.counts[static_cast<size_t>(output)]);
}

}  // namespace hearth
