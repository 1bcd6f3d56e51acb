// Samples of a source that a file lists.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct SelectionOptions {
  std::optional<Choice<Source>> of = {};
  std::string indices = {};  // must be given
  std::string digest = {};
  std::optional<int64_t> samples_of_source = {};
  std::string provenance = {};
  static const Schema<SelectionOptions>& schema();
};

[[nodiscard]] Choice<Source> selection(const SelectionOptions& options = {});

}  // namespace hearth::sources
