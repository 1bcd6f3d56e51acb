// Schedules and numbers, multiplied.
#pragma once

#include <vector>

#include "hearth/schedule/schedule.h"

namespace hearth::schedules {

struct ProductOptions {
  std::vector<Scheduled> of = {};
  static const Schema<ProductOptions>& schema();
};

[[nodiscard]] Choice<Schedule> product(ProductOptions options = {});

}  // namespace hearth::schedules
