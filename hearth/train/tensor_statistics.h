// What tensors are like, in numbers: computed where they lie, and waited for once for all of them.
// Shared by the traces that watch gradients, weights and what layers give.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hearth/core/spec.h"
#include "hearth/tensor/state.h"

namespace hearth {

using NamedNumber = std::pair<std::string, double>;

// Each of `what` (mean, std, norm, zeros, dead) of each tensor, as "<name>/mean". `dead` is the
// share of units, channels of a picture or features, that are zero in the whole batch; `zeros` that
// of values. Sequences have features last, [B, T, F], but for those named in `channels_first`.
[[nodiscard]] std::vector<NamedNumber> statistics_of(
    std::span<const NamedTensor> tensors, std::span<const std::string> what,
    const std::set<std::string>& channels_first = {});
// By name: {from, to, counts}. Those with a value that is no finite number have none.
[[nodiscard]] Json histograms_of(std::span<const NamedTensor> tensors, int64_t bins);

// The norms of tensors of floating point, which are called "net/0.weight" and so on: that of each
// model, then of its top layers or of each tensor, by `by_layer`. Norms, means and shares do not
// depend on the order in memory, so that packed weights may stay so.
[[nodiscard]] std::vector<NamedNumber> norms_by_group(std::span<const NamedTensor> tensors,
                                                      bool by_layer);

}  // namespace hearth
