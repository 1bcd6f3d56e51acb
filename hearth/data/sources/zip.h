// The keys of several sources side by side.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct ZipOptions {
  std::vector<Choice<Source>> of = {};
  std::vector<std::string> prefixes = {};
  static const Schema<ZipOptions>& schema();
};

[[nodiscard]] Choice<Source> zip(const ZipOptions& options = {});

}  // namespace hearth::sources
