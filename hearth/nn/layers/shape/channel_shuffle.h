// Channels of different groups beside each other.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct ChannelShuffleOptions {
  int64_t groups = 2;
  static const Schema<ChannelShuffleOptions>& schema();
};

[[nodiscard]] Choice<Layer> channel_shuffle(ChannelShuffleOptions options = {});

}  // namespace hearth::layers
