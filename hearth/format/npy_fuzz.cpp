// Fuzzes headers of NumPy's array files.
#include <cstdlib>

#include "hearth/base/error.h"
#include "hearth/format/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  try {
    const hearth::NpyHeader header = hearth::parse_npy_header(file, size, "fuzz");
    if (header.data_begin + header.data_bytes() != size) std::abort();
  } catch (const hearth::DataError&) {
  }
  return 0;
}
