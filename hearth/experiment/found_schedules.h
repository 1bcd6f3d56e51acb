// The schedules of a config, wherever an option holds one.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/catalog.h"
#include "hearth/config/choice.h"

namespace hearth {

struct FoundSchedule {
  std::string path;  // of the option: "models.net.optimizer.adamw.lr"
  Choice<Schedule> schedule;
  bool changes_by_epoch = false;  // it is asked when an epoch starts, and counts for all of it
};

// In the order of the config, which must be valid. One within another is not listed by itself.
[[nodiscard]] std::vector<FoundSchedule> schedules_in(const Node& config, const Catalog& catalog);

}  // namespace hearth
