// One of an experiment's sets of samples: a mode has one, or several with a name each.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hearth/config/mode.h"
#include "hearth/experiment/options.h"

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

using NamedSource = std::pair<DataSet, Choice<Source>>;

// What a config names for each set, in its order.
[[nodiscard]] std::vector<NamedSource> source_choices(const DataOptions& data);
// A mode without a name stands for its first set.
[[nodiscard]] std::optional<NamedSource> named_source(const DataOptions& data, const DataSet& set);

}  // namespace hearth
