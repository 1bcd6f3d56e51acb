// Fuzzes CSV: text as rows, and as lines of numbers.
#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/format/csv.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    (void)hearth::parse_csv(text, "fuzz");
  } catch (const hearth::DataError&) {
  }
  int64_t number = 0;
  for (const std::string& line : hearth::split(text, '\n')) {
    try {
      (void)hearth::parse_csv_numbers(line, "fuzz", ++number);
    } catch (const hearth::DataError&) {
    }
  }
  return 0;
}
