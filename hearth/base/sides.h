// A number for each side of a window or an image: `3` or `{1, 7}`; one number stands for all sides.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace hearth {

template <size_t Count>
class Sides {
 public:
  constexpr Sides(int64_t all) { lengths_.fill(all); }  // NOLINT: implicit
  template <std::convertible_to<int64_t>... More>
  requires(Count > 1 && sizeof...(More) + 1 ==
                            Count) constexpr Sides(int64_t first, More... more)  // NOLINT: implicit
      : lengths_{first, static_cast<int64_t>(more)...} {}

  [[nodiscard]] constexpr int64_t operator[](size_t side) const { return lengths_[side]; }
  [[nodiscard]] constexpr int64_t& operator[](size_t side) { return lengths_[side]; }
  [[nodiscard]] const std::array<int64_t, Count>& lengths() const { return lengths_; }
  [[nodiscard]] constexpr bool are_equal() const {
    return std::all_of(lengths_.begin(), lengths_.end(),
                       [&](int64_t length) { return length == lengths_.front(); });
  }
  [[nodiscard]] constexpr bool operator==(const Sides&) const = default;

 private:
  std::array<int64_t, Count> lengths_;
};

// Zeros around an image: a number for each side, or `same`, as many as keep its size.
struct SamePadding {};
inline constexpr SamePadding kSamePadding;

template <size_t Count>
class Padding {
 public:
  constexpr Padding(int64_t all) : sides_(all) {}                // NOLINT: implicit
  constexpr Padding(Sides<Count> sides) : sides_(sides) {}       // NOLINT: implicit
  constexpr Padding(SamePadding) : sides_(0), is_same_(true) {}  // NOLINT: implicit
  template <std::convertible_to<int64_t>... More>
  requires(Count > 1 && sizeof...(More) + 1 == Count) constexpr Padding(int64_t first, More... more)
      : sides_(first, more...) {}  // NOLINT: implicit

  [[nodiscard]] constexpr bool is_same() const { return is_same_; }
  [[nodiscard]] constexpr const Sides<Count>& sides() const { return sides_; }  // 0 for `same`

 private:
  Sides<Count> sides_;
  bool is_same_ = false;
};

}  // namespace hearth
