// MLP-Mixer: patches of an image mixed by small networks alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct MlpMixerOptions {
  std::string variant = "s_16";
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  std::optional<int64_t> patch_size = std::nullopt;  // what is left out is the variant's
  std::optional<int64_t> layers = std::nullopt;
  std::optional<int64_t> width = std::nullopt;
  std::optional<int64_t> token_hidden = std::nullopt;    // half the width when left out
  std::optional<int64_t> channel_hidden = std::nullopt;  // four times the width when left out
  double dropout = 0;
  static const Schema<MlpMixerOptions>& schema();
};

[[nodiscard]] Choice<Layer> mlp_mixer(MlpMixerOptions options = {});

}  // namespace hearth::layers
