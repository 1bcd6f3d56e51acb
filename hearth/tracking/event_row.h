// An event of a run as a row for people.
#pragma once

#include <string>

#include "hearth/core/event.h"

namespace hearth {

// "  epoch 2    step 46      eval   accuracy 0.9611  loss 0.1402\n"; empty for one without numbers.
[[nodiscard]] std::string event_row(const Event& event);

}  // namespace hearth
