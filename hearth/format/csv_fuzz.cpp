// Fuzzes CSV: text as rows, and as rows of numbers.
#include "hearth/base/error.h"
#include "hearth/format/csv.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    (void)hearth::parse_csv(text, "fuzz");
  } catch (const hearth::DataError&) {
  }
  try {
    (void)hearth::parse_csv_numbers(text, "fuzz");
  } catch (const hearth::DataError&) {
  }
  return 0;
}
