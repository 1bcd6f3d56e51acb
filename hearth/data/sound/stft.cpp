// Short-time Fourier transforms.
#include "hearth/data/sound/stft.h"

#include <cmath>
#include <numbers>

#include "hearth/base/error.h"

namespace hearth {

Stft::Stft(const StftOptions& options) : options_(options), fft_(options.size) {
  for (int64_t i = 0; i < options.size; ++i)
    window_.push_back(
        static_cast<float>(0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(i) /
                                                static_cast<double>(options.size))));
}

int64_t Stft::frames(int64_t samples) const {
  const int64_t least = options_.is_centered ? options_.size / 2 + 1 : options_.size;
  if (samples < least)
    throw DataError("the sound has " + std::to_string(samples) + " samples, but a frame needs " +
                    std::to_string(least) + ". Fill it up with pad_to, or use a smaller size.");
  return 1 + (options_.is_centered ? samples : samples - options_.size) / options_.hop;
}

// Beyond an end, samples are those at the same distance before it.
void Stft::read_frame(std::span<const float> sound, int64_t frame, std::span<float> to) const {
  const auto samples = static_cast<int64_t>(sound.size());
  const int64_t begin = frame * options_.hop - (options_.is_centered ? options_.size / 2 : 0);
  for (int64_t i = 0; i < options_.size; ++i) {
    int64_t at = begin + i;
    if (at < 0) at = -at;
    if (at >= samples) at = 2 * (samples - 1) - at;
    to[static_cast<size_t>(i)] = sound[static_cast<size_t>(at)] * window_[static_cast<size_t>(i)];
  }
}

void Stft::run(std::span<const float> sound, std::span<float> to) const {
  thread_local std::vector<float> frame;
  thread_local std::vector<std::complex<float>> work;
  thread_local std::vector<std::complex<float>> found;
  const auto width = static_cast<size_t>(bins());
  frame.resize(static_cast<size_t>(options_.size));
  found.resize(width);
  const int64_t count = frames(static_cast<int64_t>(sound.size()));
  for (int64_t k = 0; k < count; ++k) {
    read_frame(sound, k, frame);
    fft_.run(frame, found, work);
    float* row = to.data() + static_cast<size_t>(k) * width;
    for (size_t bin = 0; bin < width; ++bin) {
      const float power = std::norm(found[bin]);
      row[bin] = options_.power == 2   ? power
                 : options_.power == 1 ? std::sqrt(power)
                                       : std::pow(power, static_cast<float>(options_.power / 2));
    }
  }
}

}  // namespace hearth
