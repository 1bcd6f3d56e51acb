// Two sample ops become one where the second can do both at once, and nobody else reads what lies
// between them.
#pragma once

#include <cstdint>
#include <vector>

#include "hearth/core/graph.h"

namespace hearth {

// Who keeps what the steps make that draw nothing wants them by themselves: a later step is fused
// with one of theirs only where it makes other values then.
enum class Fusion : uint8_t { kAllowed, kAroundFixed };

struct FusedGraph {
  Plan plan;                     // without the steps that others took over
  std::vector<GraphNode> nodes;  // a node that took one over is named "decode+resize"
};

[[nodiscard]] FusedGraph fuse_sample_ops(const Plan& plan, const std::vector<GraphNode>& nodes,
                                         Fusion fusion = Fusion::kAllowed);

}  // namespace hearth
