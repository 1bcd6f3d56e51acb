// Fuzzes BMP in all three forms.
#include "hearth/format/bmp.h"
#include "hearth/format/decoder_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return hearth::fuzz_decoder(data, size, hearth::decode_bmp_into);
}
