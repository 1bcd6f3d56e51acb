// Bands of frequencies as wide as the ear hears them.
#include "hearth/data/sound/mel_bands.h"

#include <algorithm>
#include <cmath>

namespace hearth {

namespace {

// Slaney's scale is linear up to 1000 Hz, where it is 15, and logarithmic above.
constexpr double kSlaneyLinear = 200.0 / 3;
constexpr double kSlaneyBorder = 1000;
const double kSlaneyStep = std::log(6.4) / 27;

double mel_of(double hertz, bool is_htk) {
  if (is_htk) return 2595 * std::log10(1 + hertz / 700);
  if (hertz < kSlaneyBorder) return hertz / kSlaneyLinear;
  return kSlaneyBorder / kSlaneyLinear + std::log(hertz / kSlaneyBorder) / kSlaneyStep;
}

double hertz_of(double mel, bool is_htk) {
  if (is_htk) return 700 * (std::pow(10, mel / 2595) - 1);
  const double border = kSlaneyBorder / kSlaneyLinear;
  if (mel < border) return mel * kSlaneyLinear;
  return kSlaneyBorder * std::exp(kSlaneyStep * (mel - border));
}

}  // namespace

MelBands::MelBands(const MelBandsOptions& options) {
  const bool is_htk = options.scale == "htk";
  const double half = static_cast<double>(options.rate) / 2;
  const double low = mel_of(options.lowest, is_htk);
  const double high = mel_of(options.highest > 0 ? options.highest : half, is_htk);
  const auto point = [&](int64_t i) {
    return hertz_of(
        low + (high - low) * static_cast<double>(i) / static_cast<double>(options.bands + 1),
        is_htk);
  };
  for (int64_t b = 0; b < options.bands; ++b) {
    const double left = point(b);
    const double middle = point(b + 1);
    const double right = point(b + 2);
    Band band;
    for (int64_t bin = 0; bin < options.bins; ++bin) {
      const double hertz = half * static_cast<double>(bin) / static_cast<double>(options.bins - 1);
      double weight =
          std::min((hertz - left) / (middle - left), (right - hertz) / (right - middle));
      if (weight <= 0) continue;
      if (options.is_normalized) weight *= 2 / (right - left);
      if (band.weights.empty()) band.first = static_cast<size_t>(bin);
      band.weights.push_back(static_cast<float>(weight));
    }
    bands_.push_back(std::move(band));
  }
}

void MelBands::run(std::span<const float> spectrum, std::span<float> to) const {
  for (size_t b = 0; b < bands_.size(); ++b) {
    float sum = 0;
    for (size_t i = 0; i < bands_[b].weights.size(); ++i)
      sum += bands_[b].weights[i] * spectrum[bands_[b].first + i];
    to[b] = sum;
  }
}

}  // namespace hearth
