// Cooley and Tukey's transform for mixed factors: a length is taken apart by one prime at a time.
#include "hearth/data/sound/fft.h"

#include <array>
#include <cmath>
#include <numbers>

#include "hearth/base/error.h"

namespace hearth {

namespace {

// Fours first: they need the fewest products.
std::vector<size_t> fft_factors(int64_t length) {
  std::vector<size_t> factors;
  for (const int64_t prime : {4, 2, 3, 5, 7, 11, 13})
    while (length % prime == 0) {
      factors.push_back(static_cast<size_t>(prime));
      length /= prime;
    }
  if (length != 1) factors.clear();
  return factors;
}

}  // namespace

bool is_fft_length(int64_t length) {
  return length == 1 || (length > 1 && !fft_factors(length).empty());
}

Fft::Fft(int64_t length) : length_(length) {
  if (!is_fft_length(length))
    throw InternalError("fft: " + std::to_string(length) + " is not made of small primes.");
  factors_ = fft_factors(length);
  for (int64_t k = 0; k < length; ++k) {
    const double angle =
        -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(length);
    roots_.emplace_back(static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)));
  }
}

void Fft::run(std::span<const float> values, std::span<std::complex<float>> to,
              std::vector<std::complex<float>>& work) const {
  const auto length = static_cast<size_t>(length_);
  if (work.size() < 2 * length) work.resize(2 * length);
  for (size_t i = 0; i < length; ++i) work[i] = values[i];
  transform({work.data(), 1, work.data() + length, length, 0});
  for (size_t k = 0; k < to.size(); ++k) to[k] = work[length + k];
}

// Every radix-th value by itself, one group after another; then the groups together.
void Fft::transform(const Part& part) const {
  if (part.length == 1) {
    *part.to = *part.from;
    return;
  }
  const size_t radix = factors_[part.factor];
  const size_t inner = part.length / radix;
  for (size_t group = 0; group < radix; ++group)
    transform({part.from + group * part.stride, part.stride * radix, part.to + group * inner, inner,
               part.factor + 1});
  combine(part.to, part.length, radix);
}

void Fft::combine(Complex* values, size_t length, size_t radix) const {
  const size_t inner = length / radix;
  const size_t step = roots_.size() / length;  // from a root of `length_` to one of `length`
  std::array<Complex, kLargestFftPrime> turned;
  for (size_t k = 0; k < inner; ++k) {
    for (size_t group = 0; group < radix; ++group)
      turned[group] = values[group * inner + k] * roots_[group * k * step];
    for (size_t row = 0; row < radix; ++row) {
      Complex sum = turned[0];
      for (size_t group = 1; group < radix; ++group)
        sum += turned[group] * roots_[group * row % radix * inner * step];
      values[row * inner + k] = sum;
    }
  }
}

}  // namespace hearth
