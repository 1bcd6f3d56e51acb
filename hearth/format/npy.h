// NumPy's file of one array: a header in the form of a Python dictionary, then the numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearth/format/array_type.h"

namespace hearth {

struct NpyHeader {
  ArrayType type = ArrayType::kFloat32;
  bool is_swapped = false;  // the bytes of each number come in the other order than here
  bool is_fortran = false;  // the first index runs fastest
  std::vector<int64_t> shape;
  uint64_t data_begin = 0;  // bytes from the start of the file
  [[nodiscard]] uint64_t data_bytes() const;
};

// As many bytes as a header has at most.
inline constexpr uint64_t kNpyHeaderLimitBytes = 1 << 16;

// `start` is the file's beginning, all of it or kNpyHeaderLimitBytes; `file_bytes` its length,
// which must be what the header says. DataError names `what`. Arrays of Python objects, texts and
// records are refused: reading them means running code.
[[nodiscard]] NpyHeader parse_npy_header(std::string_view start, uint64_t file_bytes,
                                         const std::string& what);

// For tests and tools: the whole file.
[[nodiscard]] std::string encode_npy(std::string_view descr, const std::vector<int64_t>& shape,
                                     std::span<const std::byte> data, bool is_fortran = false);

}  // namespace hearth
