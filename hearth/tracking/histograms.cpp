// Finds histograms within events.
#include "hearth/tracking/histograms.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

namespace hearth {
namespace {

using Found = std::vector<std::pair<std::string, EvenHistogram>>;

std::optional<double> bound(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number()) return std::nullopt;
  const auto value = found->get<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<EvenHistogram> histogram_from(const Json& json) {
  const auto from = bound(json, "from");
  const auto to = bound(json, "to");
  const auto counts = json.find("counts");
  if (!from || !to || counts == json.end() || !counts->is_array() || counts->empty() ||
      !(*from <= *to))
    return std::nullopt;
  EvenHistogram histogram{*from, *to, {}};
  for (const Json& count : *counts) {
    if (!count.is_number()) return std::nullopt;
    histogram.counts.push_back(count.get<double>());
  }
  return histogram;
}

void add_histograms(const Json& json, const std::string& name, Found& found) {
  if (!json.is_object()) return;
  if (auto histogram = histogram_from(json)) {
    found.emplace_back(name, std::move(*histogram));
    return;
  }
  for (const auto& [key, value] : json.items()) add_histograms(value, name + "/" + key, found);
}

}  // namespace

Found histograms_of(const Event& event) {
  Found found;
  add_histograms(event.details, event.kind, found);
  return found;
}

}  // namespace hearth
