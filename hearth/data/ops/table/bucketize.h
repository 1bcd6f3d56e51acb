// A number as the class of the stretch it lies in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct BucketizeOptions {
  std::string in = "features";
  std::string column = {};
  std::string out = "bucket";
  int64_t buckets = 10;
  std::vector<double> borders = {};
  static const Schema<BucketizeOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> bucketize(const BucketizeOptions& options = {});

}  // namespace hearth::sample_ops
