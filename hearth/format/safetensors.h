// Safetensors: an 8-byte length, a JSON header, then the tensors' bytes. Strict, and never more
// memory than the file has bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearth/base/files.h"

namespace hearth {

struct TensorEntry {
  std::string name;
  std::string dtype;  // the format's name: "F32", "I64", "BOOL"
  std::vector<int64_t> shape;
  uint64_t begin = 0;  // bytes from the start of the data
  uint64_t end = 0;
  [[nodiscard]] uint64_t bytes() const { return end - begin; }
};

struct SafetensorsHeader {
  std::vector<TensorEntry> entries;  // in the order of their bytes, without gaps
  std::map<std::string, std::string> metadata;
  uint64_t data_begin = 0;  // bytes from the start of the file
};

// Bits of one element; nothing for a name the format does not know.
[[nodiscard]] std::optional<uint64_t> safetensors_bits(std::string_view dtype);
// Bytes of a tensor; nothing on overflow, a negative dimension, or a broken last byte.
[[nodiscard]] std::optional<uint64_t> safetensors_bytes(std::string_view dtype,
                                                        const std::vector<int64_t>& shape);

// The length of the JSON from a file's first 8 bytes; DataError when it cannot be.
[[nodiscard]] uint64_t safetensors_header_length(std::span<const std::byte, 8> first,
                                                 uint64_t file_bytes, const std::string& what);
// `header_bytes` is the JSON. Every rule is checked before this returns: what it describes fills
// the file exactly. DataError names `what`, and the tensor.
[[nodiscard]] SafetensorsHeader parse_safetensors_header(std::span<const std::byte> header_bytes,
                                                         uint64_t file_bytes,
                                                         const std::string& what);

// The name of the last tensor of a file with digest: kDigestMagic, then the SHA-256 of length and
// header, then that of all data before it.
inline constexpr std::string_view kDigestName = "hearth.digest";
inline constexpr std::string_view kDigestMagic = "HEARTH01";
inline constexpr uint64_t kDigestBytes = 72;

class SafetensorsFile {
 public:
  // Reads and checks the header only.
  explicit SafetensorsFile(std::filesystem::path path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // Where the tensors' bytes begin, from the start of the file.
  [[nodiscard]] uint64_t data_begin() const { return header_.data_begin; }
  // All tensors but the digest.
  [[nodiscard]] const std::vector<TensorEntry>& entries() const { return header_.entries; }
  [[nodiscard]] const std::map<std::string, std::string>& metadata() const {
    return header_.metadata;
  }
  [[nodiscard]] const TensorEntry* find(std::string_view name) const;
  // DataError for a name that is not there; `into` must have the entry's size.
  void read(std::string_view name, std::span<std::byte> into) const;
  // A stretch of an entry's bytes, which must lie within it.
  void read_part(const TensorEntry& entry, uint64_t offset, std::span<std::byte> into) const;

  [[nodiscard]] bool has_digest() const { return digest_.has_value(); }
  // Reads the whole file; DataError says what was changed, or that there is no digest.
  void verify_digest() const;

 private:
  [[nodiscard]] std::array<std::byte, kDigestBytes> stored_digest() const;
  [[nodiscard]] std::array<std::byte, 32> data_digest(uint64_t bytes) const;

  std::filesystem::path path_;
  FileHandle file_;
  SafetensorsHeader header_;
  std::optional<TensorEntry> digest_;
  std::array<std::byte, 32> header_digest_{};  // of what was parsed, not of a later reading
  std::map<std::string, size_t, std::less<>> index_;
};

}  // namespace hearth
