// Which inputs of an axis make up each output when it is brought to another length.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hearth {

enum class ResampleFilter : uint8_t { kNearest, kBilinear, kBicubic, kArea };

struct Resampling {
  ResampleFilter filter = ResampleFilter::kBilinear;
  // Bilinear and bicubic: where an axis shrinks, all inputs that an output covers count, as in
  // Pillow; without it only the two or four nearest, as torch interpolates.
  bool antialias = true;
  [[nodiscard]] bool operator==(const Resampling&) const = default;
};

inline constexpr int kResampleBits = 22;  // weights are whole numbers of 2^-22, as Pillow's
inline constexpr int32_t kResampleOne = int32_t{1} << kResampleBits;

// The inputs of one output: consecutive from `first`.
struct ResampleTaps {
  int64_t first = 0;
  std::span<const int32_t> weights;
};

class ResampleTable {
 public:
  // Of an axis of `in` points that becomes one of `out`, 1 or more each. Memory grows and is kept.
  void fill(int64_t in, int64_t out, const Resampling& how);

  [[nodiscard]] int64_t size() const { return out_; }
  [[nodiscard]] ResampleTaps operator[](int64_t output) const {
    const auto at = static_cast<size_t>(output);
    return {firsts_[at], {weights_.data() + at * stride_, static_cast<size_t>(counts_[at])}};
  }
  // Most weights an output has, and an even number: behind its own each has zeros up to here.
  [[nodiscard]] size_t stride() const { return stride_; }
  // The weights once more, for the fast path: two taps of output 2k and of 2k + 1, each weight cut
  // into its low kLowBits bits and the rest, of 16 bits each.
  static constexpr int kLowBits = 15;
  struct Pairs {
    int32_t low[2];
    int32_t high[2];
  };
  [[nodiscard]] size_t fours() const { return fours_; }  // groups of four taps that outputs have
  [[nodiscard]] const Pairs* pairs(int64_t output) const {
    return pairs_.data() + static_cast<size_t>(output / 2) * 2 * fours_;
  }
  [[nodiscard]] int64_t first(int64_t output) const { return firsts_[static_cast<size_t>(output)]; }
  [[nodiscard]] bool is_for(int64_t in, int64_t out, const Resampling& how) const {
    return in == in_ && out == out_ && how == how_;
  }

 private:
  void make_room(int64_t most_taps);
  void fill_area();
  void fill_convolution(double support, double (*filter)(double));
  void fill_interpolation(int64_t taps, double (*filter)(double));
  void fill_weights();
  void fill_pairs();
  [[nodiscard]] int32_t weight(int64_t output, size_t tap) const;
  void set(int64_t output, int64_t first, std::span<const double> shares);

  int64_t in_ = 0;
  int64_t out_ = 0;
  Resampling how_;
  size_t stride_ = 0;
  std::vector<int32_t> firsts_;
  std::vector<int32_t> counts_;
  std::vector<int32_t> weights_;
  size_t fours_ = 0;
  std::vector<Pairs> pairs_;
  std::vector<double> shares_;
};

// A table kept by this thread from earlier calls, or made now; valid until the next few calls.
[[nodiscard]] const ResampleTable& resample_table(int64_t in, int64_t out, const Resampling& how);

// The point nearest to the centre of output `index`.
[[nodiscard]] inline int64_t nearest_input(int64_t index, int64_t in, int64_t out) {
  return (2 * index + 1) * in / (2 * out);
}

}  // namespace hearth
