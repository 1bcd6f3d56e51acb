// The mean of the same tensors in several files.
#pragma once

#include <functional>
#include <list>
#include <string_view>
#include <vector>

#include "hearth/format/weight_file.h"

namespace hearth {

struct WeightMean {
  std::vector<WeightView> tensors;  // in the last file's order
  size_t averaged = 0;              // the others are the last file's
  std::list<std::vector<std::byte>> rooms;
};

// Of the tensors of real numbers that `wants` lets pass, summed in float64; all others are taken
// from the last file. Files of the tensors must outlive it. DataError when they do not have the
// same tensors in the same shapes.
[[nodiscard]] WeightMean weight_mean(const std::vector<WeightFile>& files,
                                     const std::function<bool(std::string_view)>& wants);

}  // namespace hearth
