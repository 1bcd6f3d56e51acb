// Fuzzes tar files held in memory.
#include <cstring>

#include "hearth/base/error.h"
#include "hearth/format/tar.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const hearth::ReadBytes read = [&](uint64_t offset, std::span<std::byte> into) {
    if (offset > size || into.size() > size - offset) __builtin_trap();
    std::memcpy(into.data(), data + offset, into.size());
  };
  try {
    for (const auto& entry : hearth::tar_entries(read, size, "fuzz"))
      if (entry.offset > size || entry.bytes > size - entry.offset) __builtin_trap();
  } catch (const hearth::DataError&) {
  }
  return 0;
}
