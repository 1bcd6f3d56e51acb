// Samples of whole epochs, and of the batches of the one under way.
#include "hearth/train/seen_samples.h"

#include <algorithm>
#include <vector>

namespace hearth {
namespace {

int64_t seen_by_lines(int64_t step, const std::vector<EpochLine>& lines) {
  const auto after = std::upper_bound(
      lines.begin() + 1, lines.end() - 1, step,
      [](int64_t value, const EpochLine& line) { return value < line.first_step; });
  const EpochLine& line = *(after - 1);
  const int64_t steps = std::max<int64_t>(step - line.first_step, 0);
  return std::min(line.first_sample + steps * line.batches_per_step * line.batch_size,
                  after->first_sample);
}

}  // namespace

int64_t samples_seen(int64_t step, const TrainingLength& length) {
  if (length.epochs != nullptr) return seen_by_lines(step, *length.epochs);
  if (length.batches_per_epoch == 0 || length.samples_per_epoch == 0)  // all batches are full
    return step * length.batch_size;
  const int64_t batches = step * length.batches_per_step;
  const int64_t epoch = batches / length.batches_per_epoch;
  const int64_t rest = batches % length.batches_per_epoch;
  return epoch * length.samples_per_epoch +
         std::min(rest * (length.batch_size / length.batches_per_step), length.samples_per_epoch);
}

}  // namespace hearth
