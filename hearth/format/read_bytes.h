// How readers of large files ask for parts of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace hearth {

// Reads `into.size()` bytes at an offset of the file; DataError when it ends before.
using ReadBytes = std::function<void(uint64_t offset, std::span<std::byte> into)>;

}  // namespace hearth
