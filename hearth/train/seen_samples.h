// How many samples a training has seen.
#pragma once

#include <cstdint>

#include "hearth/config/time.h"

namespace hearth {

// By the time so many steps are done: the last batch of an epoch may have fewer than others.
[[nodiscard]] int64_t samples_seen(int64_t step, const TrainingLength& length);

}  // namespace hearth
