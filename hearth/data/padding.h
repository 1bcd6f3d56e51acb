// Values filled up to a larger shape, for ops that give values one size.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "hearth/data/value.h"

namespace hearth {

// Writes `value` into the corner of a value of `shape`, and `fill` around it. What lies beyond
// `shape` is left out. Both have as many dimensions.
void pad_into(const View& value, std::span<const int64_t> shape, double fill, std::byte* to);

// Throws GraphError unless a key of this spec can hold `fill`: a whole number that its dtype has,
// and one of the tokens where it holds tokens.
void check_fill(const std::string& op, const std::string& key, const Spec& spec, double fill);

// Writes `count` times a number as one of the dtype.
void fill_with(DType dtype, double number, int64_t count, std::byte* to);

}  // namespace hearth
