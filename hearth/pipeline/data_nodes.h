// The data side of an experiment as nodes of the graph: a source and the ops behind it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hearth/core/graph.h"
#include "hearth/data/batch_op.h"
#include "hearth/data/sample_op.h"
#include "hearth/experiment/graph_component.h"

namespace hearth {

// The keys that are there after these nodes, in the order in which they were made first.
[[nodiscard]] std::vector<std::string> keys_at_end(const std::vector<GraphNode>& nodes);

// A node that yields these keys, as "data.train digits".
[[nodiscard]] GraphNode source_node(std::string name, const std::vector<KeySpec>& keys, Modes modes,
                                    const Mark& mark = {});

// A node that wants these keys of a batch, whatever their sizes, and does nothing with them: they
// stay for who looks at them.
[[nodiscard]] GraphNode onlooker_node(std::string name, std::vector<std::string> keys,
                                      const Mark& mark = {});

[[nodiscard]] GraphNode data_node(GraphComponent<SampleOp>& component, const Moment& moment,
                                  Mode mode);
[[nodiscard]] GraphNode data_node(GraphComponent<BatchOp>& component, const Moment& moment,
                                  Mode mode);

}  // namespace hearth
