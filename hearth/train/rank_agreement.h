// What the processes that train together must have alike before the first step.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "hearth/config/node.h"
#include "hearth/data/source.h"

namespace hearth {

class Group;

// A `ClusterError` on all of them names both sides and what differs. What a process may have of its
// own, its task in the cluster, does not count.
void agree_on_config(Group& group, const Node& effective);
// By fingerprints of the sets' samples, wherever each process keeps them.
void agree_on_data(Group& group, std::map<std::string, std::shared_ptr<Source>> sources);

}  // namespace hearth
