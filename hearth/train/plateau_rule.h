// When a metric has stopped getting better, by how much a learning rate falls.
#pragma once

#include <cstdint>

#include "hearth/core/spec.h"

namespace hearth {

struct PlateauTerms {
  int64_t patience = 10;     // values in a row that are no better
  double min_change = 1e-4;  // smallest change that counts
  bool is_relative = true;   // a share of the best value, not the change itself
  int64_t cooldown = 0;      // values after a fall that are not counted
  double factor = 0.1;       // of each fall
  double floor = 0;          // below which the product of all factors does not fall
  bool is_better_when_higher = false;
};

class PlateauRule {
 public:
  // The next value of the metric; what the rate is to be multiplied by, 1 for nothing. A value that
  // is no finite number is no better than any.
  [[nodiscard]] double next(double value, const PlateauTerms& terms);
  [[nodiscard]] double best() const { return best_; }
  [[nodiscard]] bool has_best() const { return has_best_; }
  [[nodiscard]] double product() const { return product_; }
  [[nodiscard]] Json state() const;
  void restore(const Json& state);

 private:
  [[nodiscard]] bool is_better(double value, const PlateauTerms& terms) const;

  double best_ = 0;
  bool has_best_ = false;
  int64_t waited_ = 0;
  int64_t resting_ = 0;  // values left of the cooldown
  double product_ = 1;   // of the factors so far
};

}  // namespace hearth
