// Decides whether a watched metric got better.
#include "hearth/train/improvement.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace hearth {

bool Improvement::is_better(const RunControl& run, const std::string& metric) {
  const auto found = run.metrics().find(metric);
  if (found == run.metrics().end()) return false;
  if (!std::isfinite(found->second) || run.is_diverging()) {
    ++not_finite_;
    return false;
  }
  const double change =
      run.is_better_when_higher(metric) ? found->second - best_ : best_ - found->second;
  if (has_best_ && change <= min_change_) return false;
  best_ = found->second;
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
