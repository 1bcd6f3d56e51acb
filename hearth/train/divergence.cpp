// Values that are no finite number: what is done about them, and what is said.
#include "hearth/train/divergence.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/core/run_log.h"

namespace hearth {

OnNan on_nan_from(const std::string& text) {
  if (text == "warn") return OnNan::kWarn;
  return text == "ignore" ? OnNan::kIgnore : OnNan::kStop;
}

std::string NonFinite::text() const {
  return "epoch " + std::to_string(epoch + 1) + " of " + std::to_string(total_epochs) + ", step " +
         std::to_string(step) + ": " + what + " is " + shortest_number(value);
}

std::string divergence_advice(const std::string& rates) {
  return "Lower the learning rate (" + rates +
         "), bound the gradients (update: {clip_norm: 1}), or look for values in the data that "
         "are not finite.";
}

// A history that cannot be read says nothing.
std::optional<std::string> diverged_before(const std::filesystem::path& history) {
  try {
    const std::vector<Event> events = read_run_log(history);
    if (events.empty() || events.back().kind != kDivergedEvent) return std::nullopt;
    return events.back().details.value("reason", "");
  } catch (const DataError&) {
    return std::nullopt;
  }
}

}  // namespace hearth
