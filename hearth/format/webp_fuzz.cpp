// Fuzzes WebP in all three forms.
#include "hearth/format/decoder_fuzz.h"
#include "hearth/format/webp.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return hearth::fuzz_decoder(data, size, hearth::decode_webp_into);
}
