// Fuzzes SentencePiece models, and the rules of those that are read on the file's own bytes.
#include "hearth/base/error.h"
#include "hearth/format/sentencepiece.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  try {
    const auto model = hearth::parse_sentencepiece(file, "fuzz");
    for (size_t i = 0; i < file.size(); i += 1 + i / 16)
      (void)model.rules.replacement(model.rules.map.longest_prefix(file.substr(i)).value);
  } catch (const hearth::DataError&) {
  }
  return 0;
}
