// What JPEG leaves of an image, at a quality drawn for each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct JpegArtifactsOptions {
  std::string key = "image";
  double probability = 0.5;
  std::vector<int64_t> quality = {30, 90};
  static const Schema<JpegArtifactsOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> jpeg_artifacts(JpegArtifactsOptions options = {});

}  // namespace hearth::sample_ops
