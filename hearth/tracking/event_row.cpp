// An event of a run as a row for people.
#include "hearth/tracking/event_row.h"

#include "hearth/base/letters.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

// What the numbers are of, where their own names do not say it.
std::string kind_column(const std::string& kind) {
  if (kind == "evaluation") return "";
  return "  " + padded(kind == "epoch" ? "train" : kind, 5);
}

}  // namespace

std::string event_row(const Event& event) {
  if (event.values.empty()) return "";
  std::string row = "  epoch " + padded(std::to_string(event.epoch + 1), 3) + "  step " +
                    padded(std::to_string(event.step), 6) + kind_column(event.kind);
  for (const auto& [name, value] : event.values)
    row += "  " + name + " " + rounded_number(value, 4);
  return row + "\n";
}

}  // namespace hearth
