// Sound as how loud bands of frequencies are, frame by frame.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct MelOptions {
  std::string in = "sound";
  std::string out = "image";
  int64_t bands = 40;
  int64_t size = 400;
  int64_t hop = 160;
  double power = 2;
  bool center = true;
  double lowest = 0;
  double highest = 0;
  std::string scale = "htk";
  bool normalized = false;
  std::string log = "natural";
  std::string layout = "image";
  static const Schema<MelOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> mel(MelOptions options = {});

}  // namespace hearth::sample_ops
