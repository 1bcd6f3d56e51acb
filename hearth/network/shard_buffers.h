// Buffers of the first network, such as the statistics of batch norms, when every shard has changed
// a copy of them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "hearth/network/replica.h"
#include "hearth/network/tensor_packet.h"

namespace hearth {

// They move by the mean of all shards' changes, weighted by samples; those that are no floating
// numbers become what the first shard made of them.
class ShardBuffers {
 public:
  // Before a batch, with all models in it built; in the order of Replica::buffers.
  void remember(const ModelSet& models);
  // The changes of this process's shards that ran, by their shares of the samples: the first
  // network's and the others'.
  void add_changes(std::span<const double> shares, std::span<const std::unique_ptr<Replica>> others,
                   TensorPacket& packet) const;
  // The first network's buffers become the batch's: from the changes in everybody's packets, which
  // stand in each from that tensor on. Of one rank, or of more in the order of ShardTree.
  struct Changes {
    std::vector<TensorPacket> packets;
    std::vector<size_t> begins;
    double scale = 1;  // all samples of the batch over those of these packets
  };
  void apply(const Changes& changes) const;
  // As they were before the batch.
  void put_back() const;

 private:
  struct Buffer {
    at::Tensor tensor;
    at::Tensor before;
  };
  std::vector<Buffer> buffers_;
  std::vector<const Model*> known_;  // models whose buffers are in the list
};

}  // namespace hearth
