// Whether every update of a plan can do what it says: whose loss it is, what moved before it.
#pragma once

#include "hearth/train/experiment_graph.h"

namespace hearth {

// PlanError with all that cannot be; `batches` is how many the run has.
void check_updates(const CompiledPlan& compiled, int64_t batches);

}  // namespace hearth
