// Fuzzes TFRecord files held in memory.
#include <cstring>
#include <string_view>

#include "hearth/base/error.h"
#include "hearth/format/tfrecord.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const hearth::ReadBytes read = [&](uint64_t offset, std::span<std::byte> into) {
    if (offset > size || into.size() > size - offset) __builtin_trap();
    std::memcpy(into.data(), data + offset, into.size());
  };
  try {
    std::string record;
    for (const auto& place : hearth::tfrecord_places(read, size, "fuzz"))
      hearth::read_tfrecord(read, place, record, "fuzz");
  } catch (const hearth::DataError&) {
  }
  return 0;
}
