// Gradients as they are: the same bits for any number of ranks.
#pragma once

#include "hearth/config/byte_size.h"
#include "hearth/config/choice.h"

namespace hearth::exchanges {

struct ExactOptions {
  bool overlap = true;
  ByteSize bucket = {int64_t{4} << 20};
  static const Schema<ExactOptions>& schema();
};

[[nodiscard]] Choice<Exchange> exact(ExactOptions options = {});

}  // namespace hearth::exchanges
