// IDX, the format of MNIST: a header with type and dimensions, then numbers. Plain or gzip.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "hearth/base/files.h"

namespace hearth {

// The codes of the format.
enum class IdxType : uint8_t {
  kUint8 = 0x08,
  kInt8 = 0x09,
  kInt16 = 0x0b,
  kInt32 = 0x0c,
  kFloat32 = 0x0d,
  kFloat64 = 0x0e,
};
[[nodiscard]] uint64_t size_of(IdxType type);

struct IdxHeader {
  IdxType type = IdxType::kUint8;
  std::vector<int64_t> dimensions;  // 1 to 8
  [[nodiscard]] uint64_t header_bytes() const { return 4 + 4 * dimensions.size(); }
  // Bytes of all numbers; DataError when the product is beyond any file.
  [[nodiscard]] uint64_t data_bytes() const;
};

struct IdxFile {
  IdxHeader header;
  std::vector<std::byte> data;  // in this machine's byte order
};

inline constexpr uint64_t kIdxLimitBytes = 4ULL << 30;

// DataError names the file when it is truncated, longer than its header says, or something else.
[[nodiscard]] IdxFile load_idx(const std::filesystem::path& path,
                               uint64_t limit_bytes = kIdxLimitBytes);
[[nodiscard]] IdxFile load_idx(const FileHandle& file, const std::filesystem::path& path,
                               uint64_t limit_bytes = kIdxLimitBytes);
// Reads and unpacks only the beginning; a plain file's length is checked too.
[[nodiscard]] IdxHeader read_idx_header(const std::filesystem::path& path);
[[nodiscard]] IdxHeader read_idx_header(const FileHandle& file, const std::filesystem::path& path);

[[nodiscard]] IdxFile parse_idx(std::string_view bytes, const std::string& what);
[[nodiscard]] std::string encode_idx(const IdxFile& file);
// Packs when the name ends in .gz.
void write_idx(const std::filesystem::path& path, const IdxFile& file);

}  // namespace hearth
