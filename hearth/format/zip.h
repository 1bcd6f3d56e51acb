// ZIP archives, as far as data comes in them: entries stored or deflated, checked against the
// archive's own directory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "hearth/base/files.h"

namespace hearth {

struct ZipEntry {
  std::string name;
  bool is_stored = true;  // else deflated
  uint32_t crc = 0;
  uint64_t packed_bytes = 0;
  uint64_t bytes = 0;       // unpacked
  uint64_t data_begin = 0;  // of the packed bytes in the file
};

// The directory at the archive's end, with each entry's place. Every entry lies within the file,
// before the directory, and beside the others. DataError names the file for what is damaged,
// encrypted, split, or packed in another way.
[[nodiscard]] std::vector<ZipEntry> read_zip_directory(const FileHandle& file,
                                                       const std::filesystem::path& path);

// All of an entry, checked by its CRC; DataError when it unpacks to another size than it says, or
// is larger than the limit.
[[nodiscard]] std::string read_zip_entry(const FileHandle& file, const std::filesystem::path& path,
                                         const ZipEntry& entry, uint64_t limit_bytes);

// The same check of a stored entry, whose bytes are read where they lie: all of them once, in
// little memory.
void check_stored_entry(const FileHandle& file, const std::filesystem::path& path,
                        const ZipEntry& entry);

}  // namespace hearth
