// The Fourier transform of real values, for any length made of small primes.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hearth {

// The largest prime factor that is taken; 1024, 400 and 882 are made of smaller ones.
inline constexpr int64_t kLargestFftPrime = 13;
[[nodiscard]] bool is_fft_length(int64_t length);

// A plan for one length, read from many threads.
class Fft {
 public:
  explicit Fft(int64_t length);
  [[nodiscard]] int64_t length() const { return length_; }
  [[nodiscard]] int64_t bins() const { return length_ / 2 + 1; }

  // Sums values[t] * exp(-2 pi i k t / length) for k from 0 to length / 2. `work` is grow-only
  // memory of the caller's.
  void run(std::span<const float> values, std::span<std::complex<float>> to,
           std::vector<std::complex<float>>& work) const;

 private:
  using Complex = std::complex<float>;
  struct Part {
    const Complex* from = nullptr;
    size_t stride = 1;
    Complex* to = nullptr;
    size_t length = 1;
    size_t factor = 0;  // the first of those that are left
  };
  void transform(const Part& part) const;
  void combine(Complex* values, size_t length, size_t radix) const;

  int64_t length_;
  std::vector<size_t> factors_;
  std::vector<Complex> roots_;  // exp(-2 pi i k / length)
};

}  // namespace hearth
