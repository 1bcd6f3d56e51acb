// Networks whose layers see all that came before them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct DensenetOptions {
  int64_t depth = 121;
  std::optional<int64_t> growth_rate = std::nullopt;  // by the depth when left out
  std::optional<std::vector<int64_t>> block_config = std::nullopt;
  std::optional<int64_t> num_init_features = std::nullopt;
  int64_t bn_size = 4;
  double drop_rate = 0;
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  static const Schema<DensenetOptions>& schema();
};

[[nodiscard]] Choice<Layer> densenet(DensenetOptions options = {});

}  // namespace hearth::layers
