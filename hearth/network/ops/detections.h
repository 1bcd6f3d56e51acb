// The boxes that a detector finds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct DetectionsOptions {
  std::vector<std::string> in = {"scores", "distances", "centerness", "points"};
  std::string image = "image";
  std::string out = "detections";
  std::string mask = {};
  int64_t most = 100;
  int64_t candidates = 1000;
  double score = 0.2;
  double overlap = 0.6;
  static const Schema<DetectionsOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> detections(DetectionsOptions options = {});

}  // namespace hearth::network_ops
