// Prints of samples, by which equal and similar ones are found.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "hearth/data/value.h"

namespace hearth {

// Equal for equal bytes and shapes: the first half of SHA-256.
using ExactPrint = std::array<uint64_t, 2>;
[[nodiscard]] ExactPrint exact_print(std::span<const View> values);

// Of an image, or of a picture file as it was read: whether it gets brighter from left to right, at
// 8 x 8 places. Pictures that were scaled, compressed or brightened differ in few bits. Nothing for
// an image of one colour or of less than 32 x 32 points. DataError for a file that cannot be
// decoded.
[[nodiscard]] std::optional<uint64_t> picture_print(const View& image);

}  // namespace hearth
