// How many of an experiment's ops make the same of a sample each time.
#pragma once

#include <cstddef>
#include <vector>

#include "hearth/data/sample_op.h"
#include "hearth/experiment/graph_component.h"

namespace hearth {

// The first so many draw nothing and do not move with time, in whatever mode: the fixed parts of
// training and evaluation end at the same op, and yield values of one kind. None of them makes
// other values together with an op behind them.
[[nodiscard]] size_t fixed_ops(std::vector<GraphComponent<SampleOp>>& ops, const Moment& moment);

}  // namespace hearth
