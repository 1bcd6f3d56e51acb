// Expressions of one value that a kernel may compute along with what comes before them.
#pragma once

#include <cstdint>

namespace hearth {

enum class Activation : uint8_t { kNone, kRelu6, kSilu, kHardswish };

}  // namespace hearth
