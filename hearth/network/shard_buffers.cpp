// Buffers of the first network, when every shard has changed a copy of them.
#include "hearth/network/shard_buffers.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

#include "hearth/tensor/tree_sum.h"

namespace hearth {
namespace {

// Nothing where nothing changed, even where the values are no numbers that can be subtracted.
at::Tensor change_of(const at::Tensor& now, const at::Tensor& before) {
  const at::Tensor none = at::zeros({}, before.options());
  return at::where(now.eq(before), none, now.sub(before));
}

}  // namespace

// Models are built when a plan first needs them.
void ShardBuffers::remember(const ModelSet& models) {
  const at::AutoGradMode no_gradients(false);
  for (const auto& [tensor, before] : buffers_) before.copy_(tensor);
  for (const auto& model : models.all()) {
    if (!model->is_built() || std::find(known_.begin(), known_.end(), model.get()) != known_.end())
      continue;
    for (const auto& [name, tensor] : model->layer().buffers())
      buffers_.push_back({tensor, tensor.detach().clone()});
    known_.push_back(model.get());
  }
}

void ShardBuffers::add_changes(std::span<const double> shares,
                               std::span<const std::unique_ptr<Replica>> others,
                               TensorPacket& packet) const {
  for (size_t i = 0; i < buffers_.size(); ++i) {
    const auto& [tensor, before] = buffers_[i];
    if (!tensor.is_floating_point()) {
      const bool is_changed = !shares.empty() && !at::equal(tensor, before);
      packet.tensors.push_back(is_changed ? tensor : at::Tensor());
      continue;
    }
    std::vector<at::Tensor> changes(others.size() + 1);
    for (size_t shard = 0; shard < shares.size(); ++shard) {
      const at::Tensor& now = shard == 0 ? tensor : others[shard - 1]->buffers()[i].second;
      if (!at::equal(now, before)) changes[shard] = change_of(now, before).mul(shares[shard]);
    }
    packet.tensors.push_back(tree_sum(changes));
  }
}

void ShardBuffers::put_back() const {
  const at::AutoGradMode no_gradients(false);
  for (const auto& [tensor, before] : buffers_) tensor.copy_(before);
}

void ShardBuffers::apply(const Changes& changes) const {
  std::vector<at::Tensor> found(changes.packets.size());
  for (size_t i = 0; i < buffers_.size(); ++i) {
    const auto& [tensor, before] = buffers_[i];
    for (size_t rank = 0; rank < found.size(); ++rank)
      found[rank] = changes.packets[rank].tensors.at(changes.begins[rank] + i);
    if (!tensor.is_floating_point())
      tensor.copy_(found[0].defined() ? found[0] : before);
    else if (const at::Tensor change = tree_sum(found); change.defined())
      tensor.copy_(before.add(changes.scale == 1 ? change : change.mul(changes.scale)));
    else
      tensor.copy_(before);
  }
}

}  // namespace hearth
