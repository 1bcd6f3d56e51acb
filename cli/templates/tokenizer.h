// Says in one line what my_component is for.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"
#include "hearth/data/tokenizer.h"

namespace hearth::tokenizers {

struct MyComponentOptions {
  int64_t most = 9;
  static const Schema<MyComponentOptions>& schema();
};

[[nodiscard]] Choice<Tokenizer> my_component(MyComponentOptions options = {});

}  // namespace hearth::tokenizers
