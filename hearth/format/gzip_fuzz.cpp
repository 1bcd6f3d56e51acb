// Fuzzes gzip in both directions.
#include <cstdlib>

#include "hearth/base/error.h"
#include "hearth/format/gzip.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  constexpr uint64_t kLimit = 1 << 20;
  try {
    const std::string out = hearth::gunzip(bytes, "fuzz", kLimit);
    if (out.size() > kLimit || hearth::gunzip_start(bytes, "fuzz", 16) != out.substr(0, 16))
      std::abort();
    if (hearth::gunzip(hearth::gzip(out), "again", kLimit) != out) std::abort();
  } catch (const hearth::DataError&) {
  }
  return 0;
}
