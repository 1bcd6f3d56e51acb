// Brings the images of a batch to one size, each batch to another one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/batch_op.h"

namespace hearth::batch_ops {

struct RandomSizeOptions {
  std::vector<std::string> keys = {"image"};
  std::vector<int64_t> sizes = {};
  std::string interpolation = "bilinear";
  bool antialias = true;
  static const Schema<RandomSizeOptions>& schema();
};

[[nodiscard]] Choice<BatchOp> random_size(const RandomSizeOptions& options = {});

}  // namespace hearth::batch_ops
