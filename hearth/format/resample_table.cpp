// Weights as Pillow and torch have them, in whole numbers.
#include "hearth/format/resample_table.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hearth {

namespace {

constexpr size_t kTablesKept = 8;  // of a thread: two axes for each of a few ops

double triangle(double x) { return std::max(0.0, 1.0 - std::abs(x)); }

double keys_cubic(double x, double a) {
  x = std::abs(x);
  if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return (((x - 5) * x + 8) * x - 4) * a;
  return 0;
}

double smoothing_cubic(double x) { return keys_cubic(x, -0.5); }
double torch_cubic(double x) { return keys_cubic(x, -0.75); }

int32_t resample_weight(double share) {
  return static_cast<int32_t>(share * kResampleOne + (share < 0 ? -0.5 : 0.5));
}

}  // namespace

void ResampleTable::make_room(int64_t most_taps) {
  stride_ = static_cast<size_t>((most_taps + 1) / 2 * 2);
  firsts_.assign(static_cast<size_t>(out_), 0);
  counts_.assign(static_cast<size_t>(out_), 1);
  weights_.assign(static_cast<size_t>(out_) * stride_, 0);
}

// Shares need not sum to one yet.
void ResampleTable::set(int64_t output, int64_t first, std::span<const double> shares) {
  const auto at = static_cast<size_t>(output);
  firsts_[at] = static_cast<int32_t>(first);
  counts_[at] = static_cast<int32_t>(shares.size());
  double sum = 0;
  for (const double share : shares) sum += share;
  for (size_t i = 0; i < shares.size(); ++i)
    weights_[at * stride_ + i] = resample_weight(sum != 0 ? shares[i] / sum : shares[i]);
}

// Output `index` covers [index * in, (index + 1) * in) when an input is `out` long. Rounding the
// running sum instead of each share keeps the total exact.
void ResampleTable::fill_area() {
  make_room(in_ / out_ + 2);
  const auto rounded = [&](int64_t part) { return (part * kResampleOne + in_ / 2) / in_; };
  for (int64_t index = 0; index < out_; ++index) {
    const int64_t begin = index * in_, end = begin + in_;
    const int64_t first = begin / out_;
    const auto at = static_cast<size_t>(index);
    firsts_[at] = static_cast<int32_t>(first);
    int32_t count = 0;
    for (int64_t input = first; input * out_ < end; ++input, ++count)
      weights_[at * stride_ + static_cast<size_t>(count)] =
          static_cast<int32_t>(rounded(std::min((input + 1) * out_, end) - begin) -
                               rounded(std::max(input * out_, begin) - begin));
    counts_[at] = count;
  }
}

// The filter, widened where the axis shrinks, over the inputs that there are: what Pillow does.
void ResampleTable::fill_convolution(double support, double (*filter)(double)) {
  const double scale = static_cast<double>(in_) / static_cast<double>(out_);
  const double widening = std::max(scale, 1.0);
  const double reach = support * widening;
  make_room(static_cast<int64_t>(std::ceil(reach)) * 2 + 1);
  for (int64_t index = 0; index < out_; ++index) {
    const double centre = (static_cast<double>(index) + 0.5) * scale;
    const auto first = std::max<int64_t>(static_cast<int64_t>(centre - reach + 0.5), 0);
    const auto end = std::min(static_cast<int64_t>(centre + reach + 0.5), in_);
    shares_.resize(static_cast<size_t>(end - first));
    for (int64_t i = first; i < end; ++i)
      shares_[static_cast<size_t>(i - first)] =
          filter((static_cast<double>(i) - centre + 0.5) * (1.0 / widening));
    set(index, first, shares_);
  }
}

// The filter over the nearest inputs only; those beyond an end are the end's: what torch does.
void ResampleTable::fill_interpolation(int64_t taps, double (*filter)(double)) {
  make_room(taps);
  const double scale = static_cast<double>(in_) / static_cast<double>(out_);
  for (int64_t index = 0; index < out_; ++index) {
    const double centre = (static_cast<double>(index) + 0.5) * scale - 0.5;
    const auto start = static_cast<int64_t>(std::floor(centre)) - taps / 2 + 1;
    const int64_t first = std::clamp<int64_t>(start, 0, in_ - 1);
    const int64_t last = std::clamp<int64_t>(start + taps - 1, 0, in_ - 1);
    shares_.assign(static_cast<size_t>(last - first + 1), 0);
    for (int64_t i = start; i < start + taps; ++i)
      shares_[static_cast<size_t>(std::clamp(i, first, last) - first)] +=
          filter(static_cast<double>(i) - centre);
    set(index, first, shares_);
  }
}

void ResampleTable::fill(int64_t in, int64_t out, const Resampling& how) {
  in_ = in;
  out_ = out;
  how_ = how;
  fill_weights();
  fill_pairs();
}

int32_t ResampleTable::weight(int64_t output, size_t tap) const {
  const auto at = static_cast<size_t>(std::min(output, out_ - 1));
  return tap < static_cast<size_t>(counts_[at]) ? weights_[at * stride_ + tap] : 0;
}

void ResampleTable::fill_pairs() {
  const auto most = static_cast<size_t>(*std::max_element(counts_.begin(), counts_.end()));
  fours_ = (most + 3) / 4;
  pairs_.resize(static_cast<size_t>((out_ + 1) / 2) * 2 * fours_);
  const auto both = [](int32_t first, int32_t second) {
    return static_cast<int32_t>((static_cast<uint32_t>(first) & 0xFFFFU) |
                                static_cast<uint32_t>(second) << 16U);
  };
  constexpr int32_t kLow = (1 << kLowBits) - 1;
  Pairs* to = pairs_.data();
  for (int64_t output = 0; output < out_; output += 2)
    for (size_t tap = 0; tap < 4 * fours_; tap += 2, ++to)
      for (int side = 0; side < 2; ++side) {
        const int32_t first = weight(output + side, tap);
        const int32_t second = weight(output + side, tap + 1);
        to->low[side] = both(first & kLow, second & kLow);
        to->high[side] = both(first >> kLowBits, second >> kLowBits);
      }
}

void ResampleTable::fill_weights() {
  const int64_t in = in_;
  const int64_t out = out_;
  switch (how_.filter) {
    case ResampleFilter::kNearest:
      make_room(1);
      for (int64_t i = 0; i < out; ++i) {
        firsts_[static_cast<size_t>(i)] = static_cast<int32_t>(nearest_input(i, in, out));
        weights_[static_cast<size_t>(i) * stride_] = kResampleOne;
      }
      return;
    case ResampleFilter::kArea:
      return out <= in ? fill_area() : fill_convolution(1, triangle);
    case ResampleFilter::kBilinear:
      return how_.antialias ? fill_convolution(1, triangle) : fill_interpolation(2, triangle);
    case ResampleFilter::kBicubic:
      return how_.antialias ? fill_convolution(2, smoothing_cubic)
                            : fill_interpolation(4, torch_cubic);
  }
}

const ResampleTable& resample_table(int64_t in, int64_t out, const Resampling& how) {
  struct Kept {
    ResampleTable table;
    uint64_t used = 0;
  };
  thread_local std::array<Kept, kTablesKept> kept;
  thread_local uint64_t calls = 0;
  ++calls;
  Kept* longest_unused = kept.data();
  for (Kept& each : kept) {
    if (each.table.is_for(in, out, how)) {
      each.used = calls;
      return each.table;
    }
    if (each.used < longest_unused->used) longest_unused = &each;
  }
  longest_unused->used = calls;
  longest_unused->table.fill(in, out, how);
  return longest_unused->table;
}

}  // namespace hearth
