// What a metric came to: a headline, further numbers by name, a table. Needs no LibTorch.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hearth/core/table.h"

namespace hearth {

struct Measured {
  Measured() = default;
  // The common metric is one number. Not a number when nothing was gathered.
  Measured(double value) : headline(value) {}  // NOLINT: implicit, so that it returns just that

  std::optional<double> headline;                       // reported as "eval/f1"
  std::vector<std::pair<std::string, double>> numbers;  // "macro" is reported as "eval/f1/macro"
  std::optional<Table> table;                           // "eval/f1" among the tables
};

}  // namespace hearth
