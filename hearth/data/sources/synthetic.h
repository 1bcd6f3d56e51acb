// Made-up images and labels of any size, for benchmarks and tests.
#pragma once

#include <cstdint>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct SyntheticOptions {
  int64_t size = 1024;
  std::vector<int64_t> shape = {3, 32, 32};
  int64_t classes = 10;
  int64_t seed = 0;
  int64_t distinct = 64;
  static const Schema<SyntheticOptions>& schema();
};

[[nodiscard]] Choice<Source> synthetic(SyntheticOptions options = {});

}  // namespace hearth::sources
