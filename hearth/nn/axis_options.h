// The options of layers that work along one dimension of a sample.
#pragma once

#include <cstdint>
#include <optional>

#include "hearth/config/choice.h"

namespace hearth {

struct AxisOptions {
  // Of a sample, from 0, or from the end when negative; channels of images and features of others
  // when left out.
  std::optional<int64_t> dim = std::nullopt;
  static const Schema<AxisOptions>& schema();
};

}  // namespace hearth
