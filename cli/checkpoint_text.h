// What the commands on checkpoints share.
#pragma once

#include <nlohmann/json.hpp>

#include "hearth/core/checkpoint_facts.h"

namespace hearth::cli {

inline constexpr const char* kCheckpointHelp =
    "A run's folder for its last checkpoint, RUN:NAME for another (best, or the number of a step), "
    "or a file.";

// Name, file, place and metrics; the fault of one that cannot be read.
[[nodiscard]] nlohmann::ordered_json checkpoint_json(const CheckpointFacts& facts);

}  // namespace hearth::cli
