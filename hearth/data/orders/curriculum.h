// Easy samples first.
#pragma once

#include <optional>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/config/time.h"
#include "hearth/data/order.h"

namespace hearth::orders {

struct CurriculumOptions {
  std::optional<std::string> key = {};
  std::optional<std::string> file = {};
  std::string easy = "low";
  double start = 0.2;
  Time from = epochs(0);
  Time until = epochs(10);
  std::string pace = "linear";
  std::string digest = {};
  static const Schema<CurriculumOptions>& schema();
};

[[nodiscard]] Choice<Order> curriculum(const CurriculumOptions& options = {});

}  // namespace hearth::orders
