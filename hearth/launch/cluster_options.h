// The processes of a run by their addresses, for who has no launcher: what `cluster` says.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/schema.h"

namespace hearth {

// Which of the processes this one is.
struct TaskOptions {
  std::string job = "worker";
  int64_t index = 0;
  static const Schema<TaskOptions>& schema();
};

struct ClusterOptions {
  std::map<std::string, std::vector<std::string>> jobs = {};
  std::optional<TaskOptions> task = {};
  static const Schema<ClusterOptions>& schema();
};

}  // namespace hearth
