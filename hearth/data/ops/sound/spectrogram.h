// Sound as how loud its frequencies are, frame by frame.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct SpectrogramOptions {
  std::string in = "sound";
  std::string out = "image";
  int64_t size = 400;
  int64_t hop = 160;
  double power = 2;
  bool center = true;
  std::string log = "none";
  std::string layout = "image";
  static const Schema<SpectrogramOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> spectrogram(SpectrogramOptions options = {});

}  // namespace hearth::sample_ops
