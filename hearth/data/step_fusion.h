// Two sample ops become one where the second can do both at once, and nobody else reads what lies
// between them.
#pragma once

#include <vector>

#include "hearth/core/graph.h"

namespace hearth {

struct FusedGraph {
  Plan plan;                     // without the steps that others took over
  std::vector<GraphNode> nodes;  // a node that took one over is named "decode+resize"
};

// With `keeps_fixed_part`, what a cache may hold stays apart from the ops that draw.
[[nodiscard]] FusedGraph fuse_sample_ops(const Plan& plan, const std::vector<GraphNode>& nodes,
                                         bool keeps_fixed_part = false);

}  // namespace hearth
