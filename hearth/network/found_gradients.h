// What shards found for a step, and what of it came together.
#pragma once

#include <vector>

#include "hearth/network/tensor_packet.h"

namespace hearth {

// Of some shards of a batch.
struct FoundGradients {
  std::vector<at::Tensor> rows;  // a sum for each parameter, as it lies in memory; may be undefined
  TensorPacket weight;           // how much they count
};

// Of those that make the step.
struct ArrivedGradients {
  std::vector<at::Tensor> rows;
  std::vector<TensorPacket> weights;
  double scale = 1;  // all samples of the batch over theirs
};

}  // namespace hearth
