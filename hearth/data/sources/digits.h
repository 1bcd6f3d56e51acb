// 1,797 handwritten digits of 8x8 pixels that come with Hearth.
#pragma once

#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

// Every fifth run of ten images of the file is the test split: 357 of them, 1,440 to train on.
struct DigitsOptions {
  std::string split = "train";
  std::string path = {};
  static const Schema<DigitsOptions>& schema();
};

[[nodiscard]] Choice<Source> digits(DigitsOptions options = {});

}  // namespace hearth::sources
