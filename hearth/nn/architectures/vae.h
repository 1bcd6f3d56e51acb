// A variational autoencoder.
#pragma once

#include <cstdint>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct VaeOptions {
  std::vector<int64_t> channels = {};
  std::vector<int64_t> hidden = {128};
  int64_t code = 8;
  static const Schema<VaeOptions>& schema();
};

[[nodiscard]] Choice<Layer> vae(VaeOptions options = {});

}  // namespace hearth::layers
