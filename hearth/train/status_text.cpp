// Where a training stands, in one line.
#include "hearth/train/status_text.h"

#include <algorithm>
#include <cmath>

#include "hearth/base/text.h"

namespace hearth {

std::string status_text(const ExperimentOptions& options, const TrainingLength& length,
                        const Trainer* trainer, const fs::path& folder) {
  std::string text = options.name + ": ";
  if (trainer == nullptr)
    return text + "not begun, " + std::to_string(options.train.epochs) + " epochs to go";
  const Position& position = trainer->position();
  text += "epoch " + std::to_string(position.epoch) + " of " +
          std::to_string(std::max(position.target_epochs, position.epoch)) + ", step " +
          std::to_string(position.step) + " of " + std::to_string(length.total_steps);
  for (const auto& [metric, value] : trainer->metrics())
    text += ", " + metric + " " + shortest_number(std::round(value * 1e6) / 1e6);
  text += ", lr " + trainer->learning_rates_text();
  if (!trainer->stop_reason().empty()) text += ", stopped: " + trainer->stop_reason();
  return text + (folder.empty() ? ", no run is kept" : ", run " + folder.string());
}

}  // namespace hearth
