// Which rank this process is, by what its launcher left in the environment.
#pragma once

#include <optional>
#include <string>

#include "hearth/launch/environment.h"
#include "hearth/launch/rank_place.h"

namespace hearth {

struct ClusterOptions;

// Nothing where nobody launched it. A ConfigError names the variables that are missing, make no
// sense or contradict each other. `cluster` counts where no launcher is found.
[[nodiscard]] std::optional<RankPlace> find_place(const Environment& environment,
                                                  const ClusterOptions* cluster = nullptr);

// "rank 1 of 4, by torchrun (RANK=1, WORLD_SIZE=4); they meet at 127.0.0.1:29500".
[[nodiscard]] std::string place_text(const RankPlace& place);

// HEARTH_SECRET, or what the file HEARTH_SECRET_FILE holds; empty without either.
[[nodiscard]] std::string secret_of(const Environment& environment);

}  // namespace hearth
