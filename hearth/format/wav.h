// WAV: sound without compression, as whole numbers of 8 to 32 bits or as floats.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace hearth {

struct WavSound {
  int64_t rate = 0;      // samples a second
  int64_t channels = 0;  // 1 to 64
  int64_t bits = 0;      // of a sample of one channel: 8, 16, 24, 32 or 64
  bool is_float = false;
  std::string_view data = {};             // the samples of all channels, side by side
  [[nodiscard]] int64_t samples() const;  // of one channel
};

[[nodiscard]] bool is_wav(std::string_view bytes);

// What a file holds; `data` points into it. DataError names `what`, for compressed sound and for a
// file that ends before its sound does. A length near the most that there can be, as programs write
// that do not know it, ends with the file.
[[nodiscard]] WavSound parse_wav(std::string_view bytes, const std::string& what);

// The same, but not empty and of this rate, which `why` gives the reason for in messages: "as the
// first file has".
[[nodiscard]] WavSound parse_wav_of_rate(std::string_view bytes, const std::string& what,
                                         int64_t rate, const std::string& why);

// The mean of all channels, from -1 to 1: whole numbers are divided by the largest there is.
void read_wav(const WavSound& sound, std::span<float> to);

// A file of one channel of 16 bits.
[[nodiscard]] std::string encode_wav(std::span<const float> samples, int64_t rate);

}  // namespace hearth
