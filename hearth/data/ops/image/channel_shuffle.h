// The channels of an image in another order, drawn for each.
#pragma once

#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct ChannelShuffleOptions {
  std::string key = "image";
  double probability = 0.5;
  static const Schema<ChannelShuffleOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> channel_shuffle(ChannelShuffleOptions options = {});

}  // namespace hearth::sample_ops
