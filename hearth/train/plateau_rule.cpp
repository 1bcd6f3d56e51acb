// When a metric has stopped getting better, by how much a learning rate falls.
#include "hearth/train/plateau_rule.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace hearth {

bool PlateauRule::is_better(double value, const PlateauTerms& terms) const {
  if (!std::isfinite(value)) return false;
  if (!has_best_) return true;
  const double change = terms.is_relative ? std::abs(best_) * terms.min_change : terms.min_change;
  return terms.is_better_when_higher ? value > best_ + change : value < best_ - change;
}

double PlateauRule::next(double value, const PlateauTerms& terms) {
  if (is_better(value, terms)) {
    best_ = value;
    has_best_ = true;
    waited_ = 0;
  } else {
    ++waited_;
  }
  if (resting_ > 0) {
    --resting_;
    waited_ = 0;
  }
  if (waited_ < terms.patience) return 1;
  waited_ = 0;
  resting_ = terms.cooldown;
  if (product_ * terms.factor >= terms.floor) {
    product_ *= terms.factor;
    return terms.factor;
  }
  if (product_ <= terms.floor) return 1;
  return terms.floor / std::exchange(product_, terms.floor);
}

Json PlateauRule::state() const {
  return {{"best", best_},
          {"has_best", has_best_},
          {"waited", waited_},
          {"resting", resting_},
          {"product", product_}};
}

void PlateauRule::restore(const Json& state) {
  best_ = state.at("best").get<double>();
  has_best_ = state.at("has_best").get<bool>();
  waited_ = state.at("waited").get<int64_t>();
  resting_ = state.at("resting").get<int64_t>();
  product_ = state.at("product").get<double>();
}

}  // namespace hearth
