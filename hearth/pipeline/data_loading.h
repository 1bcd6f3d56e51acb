// How a config's data options become a loader's.
#pragma once

#include <cstdint>
#include <optional>

#include "hearth/config/mode.h"
#include "hearth/data/loader.h"
#include "hearth/experiment/options.h"

namespace hearth {

// All but the batch size, the order and the place in the config. Only training shuffles and may
// leave samples out. `compute_threads` is what the config says of them.
[[nodiscard]] LoaderOptions loader_options_of(const DataOptions& data, Mode mode, uint64_t seed,
                                              std::optional<int64_t> compute_threads = {});

// Threads that prepare batches when the config does not say: half the cores less one, or those that
// do not compute, 0 to 8.
[[nodiscard]] int automatic_workers(std::optional<int64_t> compute_threads = {});
// As many may be used when batches are waited for: all cores but the one that trains, 0 to 16.
[[nodiscard]] int most_automatic_workers();

}  // namespace hearth
