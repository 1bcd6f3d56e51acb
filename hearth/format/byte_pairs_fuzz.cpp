// Fuzzes byte pairs: the vocabulary, a line of equal signs, the rules.
#include "hearth/base/error.h"
#include "hearth/format/byte_pairs.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const size_t border = std::min(text.find("\n==\n"), text.size());
  const std::string_view merges = text.substr(std::min(border + 4, text.size()));
  try {
    (void)hearth::parse_byte_pairs({text.substr(0, border), "vocab"}, {merges, "merges"});
  } catch (const hearth::DataError&) {
  }
  return 0;
}
