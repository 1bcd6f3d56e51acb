// Traces as nodes of the graph: what each hears in a mode, and the keys it then reads.
#pragma once

#include <optional>
#include <vector>

#include "hearth/experiment/graph_component.h"
#include "hearth/train/listeners.h"
#include "hearth/train/trace.h"

namespace hearth {

// What stands behind a trace's node.
struct TraceInGraph {
  size_t trace = 0;  // its number among the experiment's
  std::vector<Interest> interests = {};
};

// The nodes of all traces in a mode, for the stretch that starts at `moment`. A trace that hears of
// the whole run only has none. ConfigError for a `when` that leaves it nothing to hear.
[[nodiscard]] std::vector<GraphNode> trace_nodes(std::vector<GraphComponent<Trace>>& traces,
                                                 Mode mode, const Moment& moment);

// The modes in which such a trace hears of batches.
[[nodiscard]] Modes batch_modes(const std::vector<Interest>& interests,
                                const std::optional<Modes>& when);

// Adds what the trace behind `node` hears in the plan that has this step.
void add_listeners(const GraphNode& node, const PlanStep& step, Listeners& listeners);

}  // namespace hearth
