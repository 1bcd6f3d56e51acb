// Sums of doubles without any rounding.
#include "hearth/metric/exact_sums.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/bitwise_left_shift.h>
#include <ATen/ops/bitwise_right_shift.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/div.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "hearth/base/error.h"

namespace hearth {
namespace {

// A double is mantissa * 2^(place - 1074), with 53 bits of mantissa and a place from 0 to 2045. A
// digit has 24 of the bits; what is added to one at a time is below 2^25, so that 2^38 numbers fit.
constexpr int64_t kDigitBits = 24;
constexpr int64_t kDigitMask = (int64_t{1} << kDigitBits) - 1;
constexpr int64_t kDigits = 89;
constexpr int64_t kNan = kDigits;  // how many of these came
constexpr int64_t kInfinity = kDigits + 1;
constexpr int64_t kMinusInfinity = kDigits + 2;
constexpr int64_t kWidth = kDigits + 3;
constexpr int64_t kMantissaMask = (int64_t{1} << 52) - 1;
constexpr int64_t kSpecial = 2047;  // the exponent of what is no finite number

void add_on_host(double number, int64_t* digits) {
  const auto bits = std::bit_cast<int64_t>(number);
  const int64_t exponent = (bits >> 52) & 2047;
  int64_t mantissa = bits & kMantissaMask;
  if (exponent == kSpecial) {
    ++digits[mantissa != 0 ? kNan : bits < 0 ? kMinusInfinity : kInfinity];
    return;
  }
  if (exponent > 0) mantissa |= int64_t{1} << 52;
  const int64_t place = exponent > 0 ? exponent - 1 : 0;
  const int64_t sign = bits < 0 ? -1 : 1;
  int64_t* digit = digits + place / kDigitBits;
  const int64_t shift = place % kDigitBits;
  for (; mantissa != 0; mantissa >>= kDigitBits, ++digit) {
    const int64_t part = (mantissa & kDigitMask) << shift;
    digit[0] += sign * (part & kDigitMask);
    digit[1] += sign * (part >> kDigitBits);
  }
}

// The same in operators that every device has.
void add_on_device(const at::Tensor& rows, at::Tensor& digits) {
  const at::Tensor bits = rows.contiguous().view(at::kLong);
  const at::Tensor exponent = at::bitwise_right_shift(bits, 52).bitwise_and(2047);
  const at::Tensor fraction = bits.bitwise_and(kMantissaMask);
  const at::Tensor is_finite = exponent.ne(kSpecial);
  const at::Tensor sign = (bits < 0) * -2 + 1;
  at::Tensor mantissa = (fraction + exponent.ne(0) * (int64_t{1} << 52)) * is_finite;
  const at::Tensor place = exponent.clamp_min(1) - 1;
  const at::Tensor digit = at::div(place, kDigitBits, "floor") * is_finite;
  const at::Tensor shift = place - at::div(place, kDigitBits, "floor") * kDigitBits;
  const at::Tensor row = (at::arange(rows.size(1), bits.options()) * kWidth).expand_as(bits);
  std::vector<at::Tensor> places;
  std::vector<at::Tensor> parts;
  for (int64_t i = 0; i < 3; ++i) {
    const at::Tensor part = at::bitwise_left_shift(mantissa.bitwise_and(kDigitMask), shift);
    places.insert(places.end(), {row + digit + i, row + digit + i + 1});
    parts.insert(parts.end(), {part.bitwise_and(kDigitMask) * sign,
                               at::bitwise_right_shift(part, kDigitBits) * sign});
    mantissa = at::bitwise_right_shift(mantissa, kDigitBits);
  }
  const at::Tensor is_nan = is_finite.eq(false).bitwise_and(fraction.ne(0));
  const at::Tensor is_infinite = is_finite.eq(false).bitwise_and(fraction.eq(0));
  places.insert(places.end(), {row + kNan, row + kInfinity, row + kMinusInfinity});
  parts.insert(parts.end(), {is_nan.to(at::kLong), is_infinite * (bits >= 0).to(at::kLong),
                             is_infinite * (bits < 0).to(at::kLong)});
  digits.view({-1}).scatter_add_(0, at::cat(places).flatten(), at::cat(parts).flatten());
}

// Digits from 0 to 2^24 but the last, so that a number has one form only.
void carry(std::vector<int64_t>& digits) {
  for (size_t i = 0; i + 1 < kDigits; ++i) {
    digits[i + 1] += digits[i] >> kDigitBits;
    digits[i] &= kDigitMask;
  }
}

long double number_of(const int64_t* kept) {
  if (kept[kNan] > 0 || (kept[kInfinity] > 0 && kept[kMinusInfinity] > 0))
    return std::numeric_limits<long double>::quiet_NaN();
  if (kept[kInfinity] > 0) return std::numeric_limits<long double>::infinity();
  if (kept[kMinusInfinity] > 0) return -std::numeric_limits<long double>::infinity();
  std::vector<int64_t> digits(kept, kept + kDigits);
  carry(digits);
  const bool is_negative = digits.back() < 0;
  if (is_negative) {
    for (int64_t& digit : digits) digit = -digit;
    carry(digits);
  }
  long double number = 0;
  int64_t first = kDigits - 1;
  while (first > 0 && digits[static_cast<size_t>(first)] == 0) --first;
  for (int64_t i = std::max<int64_t>(first - 3, 0); i <= first; ++i)
    number += std::ldexp(static_cast<long double>(digits[static_cast<size_t>(i)]),
                         static_cast<int>(i * kDigitBits - 1074));
  return is_negative ? -number : number;
}

}  // namespace

void ExactSums::make_room(int64_t sums, at::Device device) {
  if (!digits_.defined())
    digits_ = at::zeros({sums, kWidth}, at::TensorOptions(at::kLong).device(device));
  else if (digits_.device() != device)
    digits_ = digits_.to(device);
}

void ExactSums::add(const at::Tensor& rows) {
  make_room(rows.size(1), rows.device());
  if (!rows.is_cpu()) return add_on_device(rows, digits_);
  const at::Tensor numbers = rows.contiguous();
  const auto* number = numbers.data_ptr<double>();
  for (int64_t i = 0; i < rows.size(0); ++i)
    add(std::span(number + i * rows.size(1), static_cast<size_t>(rows.size(1))));
}

void ExactSums::add(std::span<const double> row) {
  make_room(static_cast<int64_t>(row.size()), at::kCPU);
  int64_t* digits = digits_.data_ptr<int64_t>();
  for (const double number : row) {
    add_on_host(number, digits);
    digits += kWidth;
  }
}

void ExactSums::add(const ExactSums& other) {
  if (!other.digits_.defined()) return;
  const at::Tensor added = other.digits_.to(at::kCPU);
  digits_ = digits_.defined() ? digits_.to(at::kCPU).add(added) : added.clone();
}

std::vector<long double> ExactSums::totals() const {
  std::vector<long double> totals;
  if (!digits_.defined()) return totals;
  const at::Tensor digits = digits_.to(at::kCPU);
  for (int64_t i = 0; i < digits.size(0); ++i)
    totals.push_back(number_of(digits.data_ptr<int64_t>() + i * kWidth));
  return totals;
}

void ExactSums::save(State& state, const std::string& name) const {
  if (digits_.defined()) state.tensors.emplace_back(name, digits_.to(at::kCPU));
  state.values[name] = digits_.defined() ? digits_.size(0) : 0;
}

void ExactSums::restore(const State& state, const std::string& name) {
  digits_ = at::Tensor();
  if (state.values.at(name).get<int64_t>() == 0) return;
  const at::Tensor& saved = state.tensor(name);
  if (saved.scalar_type() != at::kLong || saved.dim() != 2 || saved.size(1) != kWidth)
    throw DataError("the metric's sums '" + name + "' are of another form than this program's.");
  digits_ = saved.clone();
}

}  // namespace hearth
