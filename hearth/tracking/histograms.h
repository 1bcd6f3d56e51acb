// Histograms within the events of a log: {"from", "to", "counts"} anywhere in their details.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hearth/core/event.h"
#include "hearth/tracking/summary.h"

namespace hearth {

// By name: the event's kind, then the keys that lead there.
[[nodiscard]] std::vector<std::pair<std::string, EvenHistogram>> histograms_of(const Event& event);

}  // namespace hearth
