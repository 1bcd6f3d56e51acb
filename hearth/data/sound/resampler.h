// Sound at another rate: a sinc with a window, by the formula of torchaudio's resample.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hearth {

class Resampler {
 public:
  // Rates with hardly a common factor would need a filter for each of very many places.
  [[nodiscard]] static bool is_possible(int64_t from_rate, int64_t to_rate);
  // torchaudio's defaults: a filter of six zero crossings, 0.99 of the lower rate's half.
  Resampler(int64_t from_rate, int64_t to_rate);
  [[nodiscard]] int64_t length(int64_t samples) const;  // of what comes out
  void run(std::span<const float> sound, std::span<float> to) const;

 private:
  int64_t from_ = 1;  // the rates without their common factor
  int64_t to_ = 1;
  int64_t width_ = 0;           // samples before the place that a filter reaches
  std::vector<float> filters_;  // one for each of the `to_` places between samples
  int64_t filter_length_ = 0;
};

}  // namespace hearth
