// The best of the checkpoints that were measured beside a training, kept from being removed by it.
#pragma once

#include <string>
#include <vector>

#include "hearth/base/files.h"
#include "hearth/core/event.h"

namespace hearth {

inline constexpr const char* kBestEvaluated = "best_evaluated";

// A second name of a checkpoint's file, for as long as it lives: the training may remove the first.
class HeldCheckpoint {
 public:
  // Holds nothing where the file is gone already, or the file system knows no second names.
  HeldCheckpoint(const fs::path& folder, const std::string& name);
  ~HeldCheckpoint();
  HeldCheckpoint(const HeldCheckpoint&) = delete;
  HeldCheckpoint& operator=(const HeldCheckpoint&) = delete;
  // Lets it be checkpoints/best_evaluated. DataError when it cannot.
  void keep();

 private:
  fs::path folder_;
  std::string name_;
  fs::path held_;  // empty when nothing is held
};

// The best by the metric, the first of equals; null when none has it as a finite number.
[[nodiscard]] const Event* best_by(const std::vector<const Event*>& events,
                                   const std::string& metric, bool is_better_when_higher);

}  // namespace hearth
