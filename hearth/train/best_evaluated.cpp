// The best of the checkpoints that were measured beside a training.
#include "hearth/train/best_evaluated.h"

#include <unistd.h>

#include <cmath>

#include "hearth/base/error.h"
#include "hearth/format/checkpoint_names.h"

namespace hearth {

HeldCheckpoint::HeldCheckpoint(const fs::path& folder, const std::string& name)
    : folder_(folder), name_(name) {
  const fs::path path =
      folder / (".draft-" + std::string(kBestEvaluated) + "-" + std::to_string(::getpid()) + "-0");
  std::error_code ignored;
  fs::remove(path, ignored);
  std::error_code failed;
  fs::create_hard_link(folder / (name + kCheckpointEnding), path, failed);
  if (!failed) held_ = path;
}

HeldCheckpoint::~HeldCheckpoint() {
  std::error_code ignored;
  if (!held_.empty()) fs::remove(held_, ignored);
}

void HeldCheckpoint::keep() {
  const fs::path best = folder_ / (std::string(kBestEvaluated) + kCheckpointEnding);
  std::error_code failed;
  if (held_.empty())
    fs::copy_file(folder_ / (name_ + kCheckpointEnding), best, fs::copy_options::overwrite_existing,
                  failed);
  else
    fs::rename(held_, best, failed);
  if (failed)
    throw DataError("cannot keep " + name_ + " as " + best.string() + ": " + failed.message() +
                    ".");
  held_.clear();
  sync_folder(folder_);
}

const Event* best_by(const std::vector<const Event*>& events, const std::string& metric,
                     bool is_better_when_higher) {
  const Event* best = nullptr;
  double best_value = 0;
  for (const Event* event : events)
    for (const auto& [name, value] : event->values) {
      if (name != metric || !std::isfinite(value)) continue;
      const bool is_better = is_better_when_higher ? value > best_value : value < best_value;
      if (best != nullptr && !is_better) continue;
      best = event;
      best_value = value;
    }
  return best;
}

}  // namespace hearth
