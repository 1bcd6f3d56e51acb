// Training batches whose steps are made of what comes first: slots of a batch are computed as the
// first rank hands them out, and all ranks make the step that it made of them.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>

#include "hearth/network/found_gradients.h"
#include "hearth/network/gathered_ops.h"
#include "hearth/network/replicas.h"
#include "hearth/network/shared_draws.h"
#include "hearth/network/step_gathering.h"
#include "hearth/network/step_watch.h"
#include "hearth/nn/time_profile.h"

namespace hearth {
namespace {

void append(std::vector<at::Tensor>& to, const std::vector<at::Tensor>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// Slots that have samples, when the batch has so many parts.
int64_t live_slots(const ShardTree& slots, size_t parts) {
  int64_t live = 0;
  while (live < slots.ranks() && slots.of_rank(live).begin < static_cast<int64_t>(parts)) ++live;
  return live;
}

int64_t row_count(const std::vector<at::Tensor>& values) {
  for (const at::Tensor& value : values)
    if (value.defined() && value.dim() > 0) return value.size(0);
  return 0;
}

}  // namespace

// What came of a step, in the order of slots.
struct Replicas::Arrived {
  Parts parts;
  std::vector<TensorPacket> weights;
  ShardBuffers::Changes buffers;
  double scale = 1;
};

void Replicas::run_gathered(std::span<const BoundOp> ops, StepContext& context,
                            std::vector<at::Tensor>& values, TimeProfile* profile) {
  const ShardTree::Range home = own_;
  context.ranks = nullptr;
  context.crew = crew_.get();
  kept_rows_.clear();
  try {
    compute_slots(ops.first(end_of_update(ops)), context, values, profile);
    own_ = {0, 0};
    buffers_.put_back();
    take_gathered(ops, context, values, profile);
  } catch (...) {
    for (const auto& other : others_) other->drop_gradients();
    own_ = home;
    throw;
  }
  own_ = home;
  context.crew = nullptr;
}

void Replicas::compute_slots(std::span<const BoundOp> ops, const StepContext& context,
                             const std::vector<at::Tensor>& values, TimeProfile* profile) {
  const uint64_t seed = drawn_seed();
  const int64_t live = live_slots(*slots_, split(context, values).size());
  std::optional<int64_t> slot = gathering_->begin(context.moment.step, live);
  while (slot) slot = gathering_->give(found_in(*slot, seed, ops, context, values, profile));
}

TensorPacket Replicas::found_in(int64_t slot, uint64_t seed, std::span<const BoundOp> ops,
                                const StepContext& context, const std::vector<at::Tensor>& values,
                                TimeProfile* profile) {
  own_ = slots_->of_rank(slot);
  buffers_.put_back();
  for (const auto& other : others_) other->follow();
  seed_streams(seed);
  Parts parts = split(context, values);
  const SharedDraws draws;
  run_stretch(ops, parts, profile);
  draws.refuse();
  const at::AutoGradMode no_gradients(false);
  const FoundGradients found = ops.back().op->take_found(ops.back().twins);
  TensorPacket packet;
  packet.values = {{"sums", found.rows.size()},
                   {"weight", found.weight.values},
                   {"weight_tensors", found.weight.tensors.size()}};
  append(packet.tensors, found.weight.tensors);
  add_joined(ops, own_parts(parts), packet);
  std::vector<double> shares;
  for (const ShardPart& part : own_parts(parts)) shares.push_back(part.context.share);
  buffers_.add_changes(shares, others_, packet);
  // The next slot writes over buffers while these are on their way.
  for (at::Tensor& tensor : packet.tensors)
    if (tensor.defined()) tensor = tensor.detach().clone();
  packet.tensors.insert(packet.tensors.begin(), found.rows.begin(), found.rows.end());
  return packet;
}

Replicas::Arrived Replicas::arrived(std::span<const BoundOp> ops, Parts& parts) const {
  const GatheredStep& step = gathering_->step();
  Arrived all;
  double share = 0;
  for (size_t i = 0; i < step.slots.size(); ++i) {
    TensorPacket packet = step.parts[i];
    const auto end = packet.tensors.begin() + packet.values.at("weight_tensors").get<ptrdiff_t>();
    all.weights.push_back({{packet.tensors.begin(), end}, packet.values.at("weight")});
    packet.tensors.erase(packet.tensors.begin(), end);
    const std::span<ShardPart> own = parts_of(slots_->of_rank(step.slots[i]), parts);
    all.buffers.begins.push_back(take_joined(ops, packet, own));
    all.buffers.packets.push_back(std::move(packet));
    for (ShardPart& part : own) {
      share += part.context.share;
      all.parts.push_back(std::move(part));
    }
  }
  if (all.parts.size() == parts.size()) return all;
  all.scale = all.buffers.scale = 1 / share;
  for (ShardPart& part : all.parts) part.context.share *= all.scale;
  return all;
}

// What nobody computed is not measured either.
void Replicas::keep_rows(size_t parts, std::vector<at::Tensor>& values) {
  const int64_t rows = row_count(values);
  const auto count = static_cast<int64_t>(parts);
  for (const int64_t slot : gathering_->step().slots) {
    const ShardTree::Range shards = slots_->of_rank(slot);
    kept_rows_.push_back({rows * shards.begin / count, rows * std::min(shards.end, count) / count});
  }
  for (at::Tensor& value : values) {
    if (!value.defined() || value.dim() == 0) continue;
    std::vector<at::Tensor> kept;
    for (const RowRange& range : kept_rows_)
      kept.push_back(value.narrow(0, range.begin, range.size()));
    value = at::cat(kept, 0);
  }
}

void Replicas::take_gathered(std::span<const BoundOp> ops, StepContext& context,
                             std::vector<at::Tensor>& values, TimeProfile* profile) {
  const size_t end = end_of_update(ops);
  const at::AutoGradMode no_gradients(false);
  Parts parts = split(context, values);
  Arrived arrived = this->arrived(ops.first(end), parts);
  if (arrived.parts.size() < parts.size()) keep_rows(parts.size(), values);
  join_values(ops.first(end), arrived.parts, values);
  if (context.watch != nullptr) context.watch->on_loss(values);
  const BoundOp& update = ops[end - 1];
  {
    const ProfiledScope profiled(profile,
                                 [&](TimeProfile& entered) { entered.enter(update.label); });
    update.op->step_by(context, update.twins,
                       {gathering_->step().sums, arrived.weights, arrived.scale});
  }
  buffers_.apply(arrived.buffers);
  for (const BoundOp& bound : ops.subspan(end)) run_once(bound, context, arrived.parts, profile);
  join_values(ops.subspan(end), arrived.parts, values);
}

}  // namespace hearth
