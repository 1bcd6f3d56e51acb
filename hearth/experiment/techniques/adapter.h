// Fine-tuning by small networks after layers (bottleneck adapters).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/experiment/technique.h"

namespace hearth::techniques {

struct AdapterOptions {
  std::vector<std::string> layers = {};
  int64_t size = 16;
  std::vector<std::string> also_train = {};
  std::optional<std::string> model = {};
  static const Schema<AdapterOptions>& schema();
};

[[nodiscard]] Choice<Technique> adapter(AdapterOptions options = {});

}  // namespace hearth::techniques
