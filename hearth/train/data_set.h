// One of an experiment's sets of samples: a mode has one, or several with a name each.
#pragma once

#include <compare>
#include <string>
#include <utility>

#include "hearth/config/mode.h"

namespace hearth {

struct DataSet {
  DataSet(Mode of, std::string called = {})
      : mode(of), name(std::move(called)) {}  // NOLINT: implicit
  Mode mode;
  std::string name;  // empty for a mode's only one

  // "eval", "eval.clean": as in the config, and before what is measured on it.
  [[nodiscard]] std::string text() const {
    const std::string first(hearth::name(mode));
    return name.empty() ? first : first + "." + name;
  }
  [[nodiscard]] auto operator<=>(const DataSet&) const = default;
};

}  // namespace hearth
