// What the steps of a run were made of, as its log has it.
#pragma once

#include "hearth/base/files.h"
#include "hearth/network/network.h"

namespace hearth {

// Where steps are made of what comes first: lets them be made of what they were made of in the run.
void replay_steps_of(const fs::path& log, Network& network);

}  // namespace hearth
