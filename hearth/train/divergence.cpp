// Values that are no finite number: what is done about them, and what is said.
#include "hearth/train/divergence.h"

#include <cmath>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/core/log_reader.h"

namespace hearth {

OnNan on_nan_from(const std::string& text) {
  if (text == "warn") return OnNan::kWarn;
  if (text == "skip") return OnNan::kSkip;
  if (text == "roll_back") return OnNan::kRollBack;
  return text == "ignore" ? OnNan::kIgnore : OnNan::kStop;
}

std::string NonFinite::text() const {
  return "epoch " + std::to_string(epoch + 1) + " of " + std::to_string(total_epochs) + ", step " +
         std::to_string(step) + ": " + what +
         (std::isfinite(value) ? "" : " is " + shortest_number(value));
}

std::string divergence_advice(const std::string& rates) {
  return "Lower the learning rate (" + rates +
         "), bound the gradients (update: {clip_norm: 1}), or look for values in the data that "
         "are not finite.";
}

// A history that cannot be read says nothing.
std::optional<std::string> diverged_before(const std::filesystem::path& history) {
  try {
    std::string reason;
    LogReader reader(history);
    for (LogNews news = reader.next(); news.index() != 0; news = reader.next())
      if (const auto* event = std::get_if<Event>(&news))
        reason = event->kind == kDivergedEvent ? event->details.value("reason", "") : "";
    return reason.empty() ? std::nullopt : std::optional(reason);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace hearth
