// A source whose numbers stay within limits.
#pragma once

#include <optional>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct ClampOptions {
  std::optional<Choice<Source>> of = {};
  std::string key = {};  // must be given
  std::optional<double> low = {};
  std::optional<double> high = {};
  static const Schema<ClampOptions>& schema();
};

[[nodiscard]] Choice<Source> clamp(const ClampOptions& options = {});

}  // namespace hearth::sources
