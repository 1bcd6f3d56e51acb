// Images with boxes, masks and keypoints in COCO's JSON.
#pragma once

#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct CocoOptions {
  std::string images = {};       // must be given
  std::string annotations = {};  // must be given
  std::string masks = "none";
  bool keypoints = false;
  bool crowds = false;
  static const Schema<CocoOptions>& schema();
};

[[nodiscard]] Choice<Source> coco(const CocoOptions& options = {});

}  // namespace hearth::sources
