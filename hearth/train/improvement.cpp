// Decides whether a watched metric got better.
#include "hearth/train/improvement.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "hearth/base/text.h"

namespace hearth {

std::vector<std::string> Watched::names() const {
  std::vector<std::string> all = {metric};
  for (const auto& [name, weight] : with) all.push_back(name);
  return all;
}

std::string Watched::text() const {
  std::string text = metric;
  for (const auto& [name, weight] : with)
    text += (weight < 0 ? " - " : " + ") + shortest_number(std::abs(weight)) + " " + name;
  return text;
}

std::optional<double> Watched::value(const RunControl& run) const {
  const auto& metrics = run.metrics();
  const auto found = metrics.find(metric);
  if (found == metrics.end()) return std::nullopt;
  double sum = found->second;
  for (const auto& [name, weight] : with) {
    const auto other = metrics.find(name);
    if (other == metrics.end()) return std::nullopt;
    sum += weight * other->second;
  }
  return sum;
}

bool Watched::is_better(double one, double other, const RunControl& run) const {
  return run.is_better_when_higher(metric) ? one > other : one < other;
}

bool Improvement::is_better(const RunControl& run, const Watched& watched) {
  const std::optional<double> value = watched.value(run);
  if (!value) return false;
  if (!std::isfinite(*value) || run.is_diverging()) {
    ++not_finite_;
    return false;
  }
  const double change = run.is_better_when_higher(watched.metric) ? *value - best_ : best_ - *value;
  if (has_best_ && change <= min_change_) return false;
  best_ = *value;
  has_best_ = true;
  return true;
}

Json Improvement::state() const {
  return {{"best", best_}, {"has_best", has_best_}, {"not_finite", not_finite_}};
}

void Improvement::restore(const Json& state) {
  best_ = state.at("best").get<double>();
  has_best_ = state.at("has_best").get<bool>();
  not_finite_ = state.value("not_finite", int64_t{0});
}

}  // namespace hearth
