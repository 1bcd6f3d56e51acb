// A layer with another one behind it, under the first one's name.
#pragma once

#include <optional>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct FollowedOptions {
  std::optional<Choice<Layer>> layer = {};  // the edit that puts it there says it
  Choice<Layer> by = {};
  std::string called = "after";
  static const Schema<FollowedOptions>& schema();
};

[[nodiscard]] Choice<Layer> followed(FollowedOptions options);

}  // namespace hearth::layers
