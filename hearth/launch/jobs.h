// A rank by the addresses of jobs, as TensorFlow's ClusterSpec has them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hearth/launch/rank_place.h"

namespace hearth {

using Jobs = std::map<std::string, std::vector<std::string>>;

// Ranks go by chief (or master), then worker. `what` says where it stands, for messages.
[[nodiscard]] RankPlace place_in(const Jobs& jobs, const std::string& job, int64_t index,
                                 const std::string& what);

}  // namespace hearth
