// A set of samples as a loader sees it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "hearth/data/order.h"

namespace hearth {

struct SampleSet {
  std::string name = "data";              // how messages call it: "train"
  std::optional<std::string> place = {};  // where the config names it
  int64_t samples = 0;
  std::shared_ptr<const Order> order = {};  // opened; empty: shuffled, or as the source has them
};

}  // namespace hearth
