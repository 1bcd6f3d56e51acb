// Four pictures of a batch in one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/batch_op.h"

namespace hearth::batch_ops {

struct MosaicOptions {
  std::vector<std::string> keys = {"image"};
  std::vector<int64_t> size = {};
  double share = 1;
  double least = 0.25;
  double row_fill = -1;
  std::string interpolation = "bilinear";
  bool antialias = true;
  static const Schema<MosaicOptions>& schema();
};

[[nodiscard]] Choice<BatchOp> mosaic(const MosaicOptions& options = {});

}  // namespace hearth::batch_ops
