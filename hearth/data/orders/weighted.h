// Samples drawn by chance, those of rare classes more often.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/order.h"

namespace hearth::orders {

struct WeightedOptions {
  std::string key = "label";
  std::vector<double> weights = {};
  std::optional<int64_t> size = {};
  static const Schema<WeightedOptions>& schema();
};

[[nodiscard]] Choice<Order> weighted(WeightedOptions options = {});

}  // namespace hearth::orders
