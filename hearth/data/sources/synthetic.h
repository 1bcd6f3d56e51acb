// Made-up images and labels of any size, or keys of any kind, for benchmarks and tests.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"
#include "hearth/data/synthetic_keys.h"

namespace hearth::sources {

struct SyntheticOptions {
  int64_t size = 1024;
  std::vector<int64_t> shape = {3, 32, 32};
  int64_t classes = 10;
  int64_t seed = 0;
  int64_t distinct = 64;
  std::map<std::string, SyntheticKey> keys = {};
  static const Schema<SyntheticOptions>& schema();
};

[[nodiscard]] Choice<Source> synthetic(const SyntheticOptions& options = {});

}  // namespace hearth::sources
