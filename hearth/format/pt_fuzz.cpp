// Fuzzes files of torch.save as a file in memory: opening, then every small tensor.
#include "hearth/format/pt_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  hearth::fuzz_pt(data, size);
  return 0;
}
