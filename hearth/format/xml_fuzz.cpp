// Fuzzes XML.
#include "hearth/base/error.h"
#include "hearth/format/xml.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    (void)hearth::parse_xml({reinterpret_cast<const char*>(data), size}, "fuzz");
  } catch (const hearth::DataError&) {
  }
  return 0;
}
