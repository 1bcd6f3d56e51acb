// One shard of packed data, mapped into memory for as long as it is used.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "hearth/base/files.h"
#include "hearth/data/packed_format.h"
#include "hearth/data/value.h"

namespace hearth {

class MappedShard {
 public:
  // DataError when the file is not what the manifest says.
  MappedShard(const std::filesystem::path& path, const PackedShard& shard,
              const std::vector<KeySpec>& keys);
  MappedShard(const MappedShard&) = delete;
  MappedShard& operator=(const MappedShard&) = delete;
  ~MappedShard();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // Writes the value of key number `key`. DataError for damage.
  void read(int64_t sample, size_t key, const Cell& cell) const;

 private:
  // Where a key's values lie in the map.
  struct Column {
    const std::byte* bytes = nullptr;
    uint64_t size = 0;
    const int64_t* offsets = nullptr;  // null for a key of one size
    const int64_t* shapes = nullptr;
    const uint32_t* checksums = nullptr;  // null in shards that were packed without
    int64_t row_bytes = 0;
    std::unique_ptr<std::atomic<bool>[]> are_checked = {};
  };
  [[nodiscard]] Column column(const class SafetensorsFile& file, const KeySpec& key) const;
  void take_checksums(const class SafetensorsFile& file, const std::string& key,
                      Column& column) const;
  void read_ragged(int64_t sample, const Column& column, const Cell& cell) const;
  void check(int64_t sample, const Column& column, std::span<const std::byte> value) const;
  [[nodiscard]] bool has_digest_of_manifest() const;

  std::filesystem::path path_;
  int64_t samples_;
  FileHandle file_;
  size_t bytes_ = 0;
  const std::byte* start_ = nullptr;
  std::vector<Column> columns_;
  std::string digest_;  // of the whole file, as the manifest has it
  mutable std::once_flag is_looked_at_;
  mutable bool has_digest_ = false;
};

}  // namespace hearth
