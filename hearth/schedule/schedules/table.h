// Values from a file.
#pragma once

#include <optional>
#include <string>

#include "hearth/schedule/schedule.h"

namespace hearth::schedules {

struct TableOptions {
  std::string file = {};
  std::optional<std::string> column = {};
  std::optional<std::string> unit = {};
  std::string interpolation = "step";
  std::string digest = {};
  static const Schema<TableOptions>& schema();
};

[[nodiscard]] Choice<Schedule> table(TableOptions options = {});

}  // namespace hearth::schedules
