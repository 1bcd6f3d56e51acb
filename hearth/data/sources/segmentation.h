// Images with a class number for each of their points.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct SegmentationOptions {
  std::string images = {};  // must be given
  std::string masks = {};   // must be given
  int64_t classes = 2;
  std::vector<std::string> class_names = {};
  std::optional<int64_t> ignore = 255;
  static const Schema<SegmentationOptions>& schema();
};

[[nodiscard]] Choice<Source> segmentation(const SegmentationOptions& options = {});

}  // namespace hearth::sources
