// A table of numbers with named rows and columns: what a metric counts for every class.
#pragma once

#include <string>
#include <vector>

#include "hearth/core/spec.h"

namespace hearth {

struct Table {
  std::string corner = {};  // what the rows are, and the columns: "true \ predicted"
  std::vector<std::string> columns = {};
  std::vector<std::string> rows = {};
  std::vector<double> cells = {};  // row after row; not a number where there is none

  [[nodiscard]] double cell(size_t row, size_t column) const {
    return cells[row * columns.size() + column];
  }
  [[nodiscard]] bool operator==(const Table&) const = default;
  // {"corner", "columns", "rows", "cells": a list for each row, null where there is no number}.
  [[nodiscard]] Json to_json() const;
  // For people, in lines of at most `width` letters where that is possible: columns that do not fit
  // go on below. Of a huge table only the start, and it says so.
  [[nodiscard]] std::string text(size_t width) const;
};

}  // namespace hearth
