// Values that are no finite number: what is done about them, and what is said.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "hearth/base/error.h"
#include "hearth/config/time.h"

namespace hearth {

// train.on_nan.
enum class OnNan : uint8_t { kStop, kWarn, kIgnore, kSkip, kRollBack };
[[nodiscard]] OnNan on_nan_from(const std::string& text);

// What was found, and when.
struct NonFinite {
  std::string what;   // "the loss 'loss'", "the metric eval/loss", "the parameter net.0.weight"
  double value = 0;   // a finite one goes without saying
  int64_t epoch = 0;  // from 0
  int64_t total_epochs = 0;
  int64_t step = 0;
  std::string origin = {};  // a sentence: where it comes from, when that is known
  std::string way_on = "train.on_nan=warn";

  // "epoch 2 of 3, step 120: the loss 'loss' is nan"
  [[nodiscard]] std::string text() const;
};

// Such a value ended the training.
class Diverged : public DataError {
 public:
  using DataError::DataError;
};

// What a person can do about it; `rates` are the learning rates of the moment, by model.
[[nodiscard]] std::string divergence_advice(const std::string& rates);

// The event of a run's history that says why training stopped, and the name of a checkpoint that
// led straight there.
inline constexpr const char* kDivergedEvent = "diverged";
// What stopped the run the last time, if it was such a value.
[[nodiscard]] std::optional<std::string> diverged_before(const std::filesystem::path& history);

}  // namespace hearth
