// How much a batch counts, put together from what its shards say.
#pragma once

#include <optional>
#include <vector>

#include "hearth/network/accumulation.h"
#include "hearth/network/tensor_packet.h"

namespace hearth {

// Of this process's shards, in order, none where one did not run, and those of other ranks.
[[nodiscard]] BatchWeight joined_weight(const StepContext& context,
                                        const std::vector<std::optional<BatchWeight>>& own);

// The same to be sent, where each part goes by itself, and put together again; undefined: none ran.
[[nodiscard]] TensorPacket weight_packet(const std::vector<std::optional<BatchWeight>>& own);
[[nodiscard]] BatchWeight weight_of_packets(const std::vector<TensorPacket>& packets);

}  // namespace hearth
