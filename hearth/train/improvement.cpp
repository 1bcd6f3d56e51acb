// Decides whether a watched metric got better.
#include "hearth/train/improvement.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace hearth {

bool Improvement::is_better(const RunControl& run, const std::string& metric) {
  const auto found = run.metrics().find(metric);
  if (found == run.metrics().end() || !std::isfinite(found->second)) return false;
  const double change =
      run.is_better_when_higher(metric) ? found->second - best_ : best_ - found->second;
  if (has_best_ && change <= min_change_) return false;
  best_ = found->second;
  has_best_ = true;
  return true;
}

Json Improvement::state() const { return {{"best", best_}, {"has_best", has_best_}}; }

void Improvement::restore(const Json& state) {
  best_ = state.at("best").get<double>();
  has_best_ = state.at("has_best").get<bool>();
}

}  // namespace hearth
