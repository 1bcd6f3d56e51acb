// A file that is read at any place: a plain one from the disk, a gzip one unpacked, in memory or in
// a mapped file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "hearth/base/digest.h"
#include "hearth/base/files.h"
#include "hearth/data/overflow_file.h"
#include "hearth/format/read_bytes.h"

namespace hearth {

// Gzip has no places to start from; larger files must be unpacked by hand.
inline constexpr uint64_t kUnpackedLimitBytes = 1ULL << 30;

class SeekableFile {
 public:
  // Stays open, so that what is read later is what was opened. DataError names the file.
  explicit SeekableFile(std::filesystem::path path);
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const FileHandle& handle() const { return file_; }
  [[nodiscard]] uint64_t bytes() const { return bytes_; }
  // What it holds in memory: all of an unpacked file.
  [[nodiscard]] uint64_t resident_bytes() const {
    return unpacked_.empty() ? 0 : unpacked_.capacity();
  }
  // What was unpacked moves from memory to that file, which must live as long as this.
  void move_to(OverflowFile& overflow);
  // DataError when it ends before.
  void read(uint64_t offset, std::span<std::byte> into) const;
  [[nodiscard]] ReadBytes reader() const;
  // The same for a pass from the begin to the end, which tells how far it is.
  [[nodiscard]] ReadBytes telling_reader() const;
  // All bytes, read in parts.
  void add_to(Sha256& digest) const;
  // Name, size and content, of one of so many files: see content_digest.h.
  [[nodiscard]] std::string fingerprint(uint64_t files = 1) const;

 private:
  std::filesystem::path path_;
  FileHandle file_;
  std::string unpacked_;
  std::span<const std::byte> mapped_;  // what moved
  bool is_unpacked_ = false;
  uint64_t bytes_ = 0;
};

// The files that names and patterns such as `train-*.tar` stand for, those of a pattern in order.
// DataError for a pattern that fits none.
[[nodiscard]] std::vector<std::filesystem::path> matching_files(
    const std::vector<std::string>& patterns);

}  // namespace hearth
