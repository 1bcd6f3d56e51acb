// How much a batch counts, put together from what its shards say.
#include "hearth/network/shard_weights.h"

#include <nlohmann/json.hpp>

#include "hearth/network/rank_exchange.h"

namespace hearth {
namespace {

using MaybeWeight = std::optional<BatchWeight>;

MaybeWeight added_weights(const MaybeWeight& left, const MaybeWeight& right) {
  if (!left) return right;
  return right ? left->with(*right) : left;
}

MaybeWeight sum_of_weights(const std::vector<MaybeWeight>& weights) {
  return ShardTree::sum(
      {0, static_cast<int64_t>(weights.size())},
      [&](int64_t index) { return weights[static_cast<size_t>(index)]; }, added_weights);
}

TensorPacket packet_of_weight(const MaybeWeight& weight) {
  if (!weight) return {};
  return {{weight->counted}, {weight->samples, weight->share, weight->is_sum, weight->one}};
}

MaybeWeight weight_of_packet(const TensorPacket& packet) {
  if (packet.values.is_null()) return {};
  return BatchWeight{packet.values.at(0), packet.values.at(1), packet.tensors.at(0),
                     packet.values.at(2), packet.values.at(3)};
}

}  // namespace

BatchWeight joined_weight(const StepContext& context, const std::vector<MaybeWeight>& own) {
  const MaybeWeight sum = sum_of_weights(own);
  if (context.ranks != nullptr)
    return weight_of_packets(context.ranks->gather("what a batch counts", packet_of_weight(sum)));
  return sum.value_or(BatchWeight());
}

TensorPacket weight_packet(const std::vector<MaybeWeight>& own) {
  return packet_of_weight(sum_of_weights(own));
}

BatchWeight weight_of_packets(const std::vector<TensorPacket>& packets) {
  std::vector<MaybeWeight> all;
  for (const TensorPacket& packet : packets) all.push_back(weight_of_packet(packet));
  return sum_of_weights(all).value_or(BatchWeight());
}

}  // namespace hearth
