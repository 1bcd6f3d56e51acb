// An experiment on less data than its config says, for trials.
#pragma once

#include "cli/arguments.h"
#include "hearth/config/node.h"

namespace hearth::cli {

// Rewrites a complete config as --fast-dev-run, --overfit-batches or --limit want it.
void use_less_data(const TrainArguments& arguments, Node& effective);

}  // namespace hearth::cli
