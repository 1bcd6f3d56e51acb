// Made-up values of any spec, the same for the same sample.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/schema.h"
#include "hearth/core/random.h"
#include "hearth/core/spec.h"
#include "hearth/data/value.h"

namespace hearth {

struct SyntheticKey {
  std::string dtype = "float32";
  std::vector<int64_t> shape = {};
  int64_t classes = 0;
  std::string role = "auto";
  static const Schema<SyntheticKey>& schema();
  [[nodiscard]] Spec spec() const;
};

// Floats are normally distributed, those of images lie from 0 to 1; class numbers, bytes and
// booleans are all equally likely.
void draw_value(Random& random, const Cell& cell);

}  // namespace hearth
