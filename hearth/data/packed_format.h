// Packed data: safetensors files of some samples each, and a manifest that lists them. A key of one
// size is a tensor [samples, ...] under its name; of a key whose size differs there are
//   <key>.bytes   U8 [bytes]             all values behind each other
//   <key>.offsets I64 [samples + 1]      where each begins in them, in bytes
//   <key>.shapes  I64 [samples, lengths] the shape of each
// and of both
//   <key>.crc     U32 [samples]          CRC-32 of each, as zlib has it
// Keys of one size may come without; then the manifest's digest of the whole file counts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "hearth/core/spec.h"

namespace hearth {

inline constexpr const char* kManifestName = "manifest.json";

struct PackedShard {
  std::string file;
  int64_t samples = 0;
  uint64_t bytes = 0;
  std::string sha256;
};

struct PackedManifest {
  std::vector<KeySpec> keys;
  std::vector<PackedShard> shards;
  std::string made_of;  // fingerprint of the source, and the ops that ran
  [[nodiscard]] int64_t samples() const;
  [[nodiscard]] std::string text() const;  // as JSON
};

// DataError names the file and what is wrong.
[[nodiscard]] PackedManifest read_manifest(const std::filesystem::path& folder);

// "F32", "BOOL": safetensors' name.
[[nodiscard]] std::string packed_dtype(DType dtype);
[[nodiscard]] uint32_t packed_checksum(const void* bytes, size_t count);

}  // namespace hearth
