// The mean average precision of a detector's boxes, as COCO's evaluation has it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/metric/bootstrap_options.h"

namespace hearth::metrics {

struct CocoMapOptions {
  std::vector<std::string> in = {"detections", "boxes", "labels"};
  int64_t most = 100;
  std::string weight = {};
  std::string mask = {};
  BootstrapOptions bootstrap = {};
  std::string out = {};
  static const Schema<CocoMapOptions>& schema();
};

[[nodiscard]] Choice<Metric> coco_map(const CocoMapOptions& options = {});

}  // namespace hearth::metrics
