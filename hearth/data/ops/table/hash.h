// Texts or numbers as one of so many classes, by a hash.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct HashOptions {
  std::string in = "text";
  std::string out = "hashed";
  int64_t buckets = 1024;
  int64_t seed = 0;
  static const Schema<HashOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> hash(const HashOptions& options = {});

}  // namespace hearth::sample_ops
