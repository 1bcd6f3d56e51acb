// An evaluation that the ranks of a run share.
#include "hearth/train/shared_evaluation.h"

#include <ATen/ops/empty_strided.h>

#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "hearth/cluster/group.h"
#include "hearth/network/tensor_packet.h"
#include "hearth/train/experiment_graph.h"

namespace hearth {
namespace {

constexpr int64_t kMostBytes = int64_t{64} << 20;

// Sums over a value follow the order in which it lies in memory, such as channels last or a part
// of a larger one. Nothing for one in the usual order, or with values that stand for several.
Json strides_of(const at::Tensor& value) {
  if (!value.defined() || value.is_contiguous()) return nullptr;
  for (int64_t i = 0; i < value.dim(); ++i)
    if (value.size(i) > 1 && value.stride(i) == 0) return nullptr;
  return value.strides().vec();
}

at::Tensor packed(const std::vector<at::Tensor>& values) {
  TensorPacket packet;
  packet.values = Json::array();
  for (const at::Tensor& value : values) packet.values.push_back(strides_of(value));
  packet.tensors = values;
  return packet.bytes();
}

std::vector<at::Tensor> unpacked(const at::Tensor& bytes) {
  TensorPacket packet = TensorPacket::of(bytes);
  for (size_t i = 0; i < packet.tensors.size(); ++i) {
    if (packet.values.at(i).is_null()) continue;
    at::Tensor& tensor = packet.tensors[i];
    const auto strides = packet.values.at(i).get<std::vector<int64_t>>();
    tensor = at::empty_strided(tensor.sizes(), strides, tensor.options()).copy_(tensor);
  }
  return std::move(packet.tensors);
}

}  // namespace

SharedEvaluation::SharedEvaluation(Group& group, int64_t batches)
    : group_(group), batches_(batches), rank_(group.rank()), ranks_(group.size()) {}

bool SharedEvaluation::can_send(const CompiledPlan& compiled, int64_t batches, int64_t samples) {
  std::set<int> read;
  for (const BoundMetric& bound : compiled.metrics)
    read.insert(bound.inputs.begin(), bound.inputs.end());
  int64_t bytes = 0;
  for (const int index : read) {
    const Spec& spec = compiled.plan.values[static_cast<size_t>(index)].spec;
    if (spec.is_ragged()) return false;
    bytes += spec.bytes() * (spec.is_per_batch ? batches : samples);
    if (bytes > kMostBytes) return false;
  }
  return true;
}

void SharedEvaluation::keep(const std::vector<at::Tensor>& values) {
  kept_.push_back(packed(values));
}

void SharedEvaluation::replay(const std::function<void(const std::vector<at::Tensor>&)>& use) {
  const at::Tensor own = TensorPacket{std::exchange(kept_, {}), nullptr}.bytes();
  for (const at::Tensor& bytes : group_.all_gather("what an evaluation found", own))
    for (const at::Tensor& batch : TensorPacket::of(bytes).tensors) use(unpacked(batch));
}

}  // namespace hearth
