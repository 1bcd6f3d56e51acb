// Sound at another rate.
#include "hearth/data/sound/resampler.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace hearth {

bool Resampler::is_possible(int64_t from_rate, int64_t to_rate) {
  constexpr int64_t kMostFilterValues = 1 << 24;
  if (from_rate < 1 || to_rate < 1) return false;
  const int64_t common = std::gcd(from_rate, to_rate);
  const int64_t to = to_rate / common;
  const int64_t from = from_rate / common;
  return to <= kMostFilterValues / (from + 14 * (from / std::min(from, to) + 1));
}

Resampler::Resampler(int64_t from_rate, int64_t to_rate) {
  constexpr double kZeroCrossings = 6;
  constexpr double kRolloff = 0.99;
  const int64_t common = std::gcd(from_rate, to_rate);
  from_ = from_rate / common;
  to_ = to_rate / common;
  const double from = static_cast<double>(from_);
  const double base = static_cast<double>(std::min(from_, to_)) * kRolloff;
  width_ = static_cast<int64_t>(std::ceil(kZeroCrossings * from / base));
  filter_length_ = 2 * width_ + from_;
  for (int64_t phase = 0; phase < to_; ++phase)
    for (int64_t i = -width_; i < width_ + from_; ++i) {
      const double place =
          static_cast<double>(i) / from - static_cast<double>(phase) / static_cast<double>(to_);
      const double time = std::clamp(place * base, -kZeroCrossings, kZeroCrossings);
      const double window = std::pow(std::cos(time * std::numbers::pi / kZeroCrossings / 2), 2);
      const double angle = time * std::numbers::pi;
      const double sinc = angle == 0 ? 1 : std::sin(angle) / angle;
      filters_.push_back(static_cast<float>(sinc * window * base / from));
    }
}

int64_t Resampler::length(int64_t samples) const { return (to_ * samples + from_ - 1) / from_; }

void Resampler::run(std::span<const float> sound, std::span<float> to) const {
  const auto samples = static_cast<int64_t>(sound.size());
  for (size_t k = 0; k < to.size(); ++k) {
    const auto place = static_cast<int64_t>(k);
    const int64_t begin = place / to_ * from_ - width_;
    const float* filter = filters_.data() + place % to_ * filter_length_;
    const int64_t last = std::min(filter_length_, samples - begin);
    float sum = 0;
    for (int64_t i = std::max<int64_t>(0, -begin); i < last; ++i)
      sum += filter[i] * sound[static_cast<size_t>(begin + i)];
    to[k] = sum;
  }
}

}  // namespace hearth
