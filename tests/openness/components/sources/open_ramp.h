// Pictures that are ramps, steeper for each class.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct OpenRampOptions {
  int64_t size = 100;
  static const Schema<OpenRampOptions>& schema();
};

[[nodiscard]] Choice<Source> open_ramp(OpenRampOptions options = {});

}  // namespace hearth::sources
