// How much of predicted and true regions is shared: what dice and soft intersection over union ask.
#pragma once

#include <string>

#include "hearth/network/losses/loss_op.h"

namespace hearth {

// Sums over the places of each region: [B, regions].
struct RegionSums {
  at::Tensor shared;
  at::Tensor predicted;
  at::Tensor truth;
  at::Tensor counts;  // samples of which some place counts: [B]; undefined for all
};

// `classes`: scores [B, classes, ...] and class numbers, or soft labels, whose shares of a place
// belong to each class's region; `binary`: scores and answers of yes or no,
// [B, regions, ...]. Places that do not count are in none of the sums.
[[nodiscard]] RegionSums region_sums(const std::string& form, const LossInputs& inputs);
[[nodiscard]] LossShape check_regions(const std::string& form, const KeySpec& scores,
                                      const KeySpec& labels);
// The mean over the regions of one minus each share, [B, regions]; without the first region when
// `skip_first`.
[[nodiscard]] LossValues missing_share(const RegionSums& sums, const at::Tensor& shares,
                                       bool skip_first);

}  // namespace hearth
