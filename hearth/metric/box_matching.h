// Detected boxes beside true ones, by the rules of COCO's evaluation (Lin et al., Microsoft COCO):
// which detection finds which box, and what precision all of a class come to.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace hearth {

struct TrueBox {
  std::array<double, 4> sides;  // left, top, right, bottom
};
struct DetectedBox {
  std::array<double, 4> sides;
  double score = 0;
};

// Areas of boxes that count; others are neither asked for nor held against anybody.
struct AreaRange {
  double least = 0;
  double most = 1e10;
};

// Detections of one image and class after matching, the best first.
struct MatchedDetection {
  double score = 0;
  bool is_right = false;
  bool counts = true;
};
struct ImageMatches {
  std::vector<MatchedDetection> detections;
  int64_t boxes = 0;  // true ones that count
};

// Each detection in turn, at most the best `most`, takes the free box that it overlaps most, by
// `overlap` of what both cover at least; one outside of the areas only if there is no other.
[[nodiscard]] ImageMatches matched(const std::vector<TrueBox>& boxes,
                                   std::vector<DetectedBox> detections, double overlap,
                                   const AreaRange& areas, size_t most);

// Of all images, each with a weight.
struct AveragePrecision {
  double precision = 0;  // the mean at recalls 0, 0.01, ... 1; not a number without any box
  double recall = 0;     // of all detections
};
[[nodiscard]] AveragePrecision average_precision(const std::vector<ImageMatches>& images,
                                                 const std::vector<double>& weights);

}  // namespace hearth
