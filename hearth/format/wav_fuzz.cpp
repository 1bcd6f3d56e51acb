// Fuzzes WAV files: what they hold, and its samples.
#include <vector>

#include "hearth/base/error.h"
#include "hearth/format/wav.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const hearth::WavSound sound =
        hearth::parse_wav({reinterpret_cast<const char*>(data), size}, "fuzz");
    std::vector<float> samples(static_cast<size_t>(sound.samples()));
    hearth::read_wav(sound, samples);
  } catch (const hearth::DataError&) {
  }
  return 0;
}
