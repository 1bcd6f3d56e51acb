// Short-time Fourier transforms: how loud which frequencies are, frame by frame.
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hearth/core/spec.h"
#include "hearth/data/sound/fft.h"

namespace hearth {

struct StftOptions {
  int64_t size = 400;  // samples of a frame
  int64_t hop = 160;   // from one frame to the next
  double power = 2;    // 1 for magnitudes, 2 for powers
  bool is_centered = true;
};

// With a periodic Hann window, as torch.stft has it by default. Centered, frames lie around their
// samples, and the sound is mirrored at its ends.
class Stft {
 public:
  explicit Stft(const StftOptions& options);
  [[nodiscard]] int64_t bins() const { return fft_.bins(); }
  // Frames of a sound of `samples`; DataError when it is too short for one.
  [[nodiscard]] int64_t frames(int64_t samples) const;
  // Writes frames x bins.
  void run(std::span<const float> sound, std::span<float> to) const;

 private:
  void read_frame(std::span<const float> sound, int64_t frame, std::span<float> to) const;
  StftOptions options_;
  Fft fft_;
  std::vector<float> window_;
};

}  // namespace hearth
