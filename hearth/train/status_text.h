// Where a training stands, in one line: for whoever asks a live session.
#pragma once

#include <string>

#include "hearth/base/files.h"
#include "hearth/experiment/options.h"
#include "hearth/train/trainer.h"

namespace hearth {

// No trainer: not begun. No folder: no run is kept.
[[nodiscard]] std::string status_text(const ExperimentOptions& options,
                                      const TrainingLength& length, const Trainer* trainer,
                                      const fs::path& folder);

}  // namespace hearth
