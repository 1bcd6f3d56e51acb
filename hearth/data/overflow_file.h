// Memory on the disk for what memory may not hold: a file without a name, gone with the process.
#pragma once

#include <cstddef>
#include <filesystem>
#include <mutex>
#include <span>
#include <vector>

#include "hearth/base/files.h"

namespace hearth {

class OverflowFile {
 public:
  // DataError when the folder, which is made if need be, cannot be written to.
  explicit OverflowFile(const std::filesystem::path& folder);
  OverflowFile(const OverflowFile&) = delete;
  OverflowFile& operator=(const OverflowFile&) = delete;
  ~OverflowFile();

  // The bytes as they lie in the file, to be read and changed as long as this lives; the system
  // keeps of them in memory what fits. DataError when the disk is full. From many threads.
  [[nodiscard]] std::span<std::byte> keep(std::span<const std::byte> bytes);

 private:
  [[nodiscard]] uint64_t reserve(uint64_t bytes);

  std::filesystem::path folder_;
  FileHandle file_;
  std::mutex mutex_;
  uint64_t end_ = 0;
  std::vector<std::span<std::byte>> pieces_;
};

}  // namespace hearth
