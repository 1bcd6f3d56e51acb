// Says how much memory the process and its tensors take, every so often.
#pragma once

#include <optional>

#include "hearth/config/byte_size.h"
#include "hearth/config/choice.h"
#include "hearth/config/time.h"

namespace hearth::traces {

struct MemoryOptions {
  Time interval = steps(100);
  std::optional<ByteSize> limit = {};
  static const Schema<MemoryOptions>& schema();
};

[[nodiscard]] Choice<Trace> memory(MemoryOptions options = {});

}  // namespace hearth::traces
