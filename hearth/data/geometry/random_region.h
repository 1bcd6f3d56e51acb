// A part of an image of random size and shape, as torchvision's RandomResizedCrop draws it.
#pragma once

#include "hearth/core/random.h"
#include "hearth/data/image_size.h"
#include "hearth/format/image_resample.h"

namespace hearth {

struct RegionRange {
  double least_scale = 0.08;  // share of the image's area
  double most_scale = 1;
  double least_ratio = 3.0 / 4;  // width to height
  double most_ratio = 4.0 / 3;
};

// Ten tries; if none fits into the image, its middle, with a shape within the range.
[[nodiscard]] ImageRegion random_region(Random& random, const ImageSize& image,
                                        const RegionRange& range);

}  // namespace hearth
