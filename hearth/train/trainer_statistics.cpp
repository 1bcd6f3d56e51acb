// A pass over training data between two steps, and how far such passes are.
#include "hearth/train/statistics_pass.h"
#include "hearth/train/trainer.h"

namespace hearth {
namespace {

constexpr double kSecondsBetweenShows = 0.5;

}  // namespace

// An evaluation that is interrupted is done again after a resume, and this with it; at the end of
// an epoch nothing comes back to it, so that it is finished.
bool Trainer::renew_statistics(const std::string& model, int64_t batches) {
  if (!is_fitting_) return true;
  static const uint16_t kStream = op_number("statistics");
  const int64_t epoch = epoch_done_last();
  StatisticsPass pass(experiment_, model, epoch);
  return pass.run(batches, [&](int64_t number, int64_t all) {
    if (traces_.is_in_evaluation() && is_interrupted()) return false;
    show_pass("statistics of " + model, number, all);
    seed_draws({static_cast<uint64_t>(experiment_.options().seed), static_cast<uint32_t>(epoch),
                static_cast<uint64_t>(number), kStream});
    return true;
  });
}

void Trainer::show_pass(const std::string& doing, int64_t done, int64_t all) {
  if (!is_fitting_ || !callbacks_.on_progress) return;
  if (done == 0) pass_shown_at_ = seconds();
  if (seconds() - pass_shown_at_ < kSecondsBetweenShows) return;
  pass_shown_at_ = seconds();
  Progress progress;
  progress.moment = moment_;
  progress.total_epochs = position_.target_epochs;
  progress.doing = doing;
  progress.done = all > 0 ? static_cast<double>(done) / static_cast<double>(all) : 0;
  show(progress);
}

}  // namespace hearth
