// Where the records of a large file lie: found once, kept in the cache folder for the next time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "hearth/base/files.h"

namespace hearth {

// A table of numbers, `columns` to a record, and texts that belong to all of them.
struct OffsetIndex {
  uint64_t columns = 1;
  std::vector<uint64_t> numbers = {};
  std::vector<std::string> texts = {};
  [[nodiscard]] size_t rows() const { return numbers.size() / columns; }
  [[nodiscard]] uint64_t at(size_t row, size_t column) const {
    return numbers[row * columns + column];
  }
  [[nodiscard]] bool operator==(const OffsetIndex&) const = default;
  [[nodiscard]] uint64_t resident_bytes() const;
};

struct OffsetIndexRequest {
  const FileHandle& file;
  const std::filesystem::path& path;
  std::string kind;  // what is found, with every option that it depends on
  std::function<OffsetIndex()> build;
  // Of smaller files nothing is kept: finding it again is as quick.
  uint64_t least_bytes = 16ULL << 20;
};

// The one that was kept, if it is of this very file, whole and of this kind; otherwise a new one,
// which is kept where the cache folder can be written to.
[[nodiscard]] OffsetIndex offset_index(const OffsetIndexRequest& request);

// $XDG_CACHE_HOME/hearth or ~/.cache/hearth; empty without either.
[[nodiscard]] std::filesystem::path cache_folder();

}  // namespace hearth
