// MLP-Mixer's block: one small network over the places of each channel, one over the channels of
// each place.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct MixerBlockOptions {
  int64_t token_hidden = 0;    // must be given
  int64_t channel_hidden = 0;  // must be given
  double dropout = 0;
  static const Schema<MixerBlockOptions>& schema();
};

[[nodiscard]] Choice<Layer> mixer_block(MixerBlockOptions options);

}  // namespace hearth::layers
