// A whole file as memory: pages come from the disk when they are looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "hearth/base/files.h"

namespace hearth {

class MappedFile {
 public:
  // DataError names the file when it cannot be opened or mapped. An empty file has no bytes.
  explicit MappedFile(const fs::path& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile();

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
  // Those of a stretch; DataError when the file does not have all of it.
  [[nodiscard]] std::span<const std::byte> part(uint64_t begin, uint64_t count) const;
  [[nodiscard]] const FileHandle& handle() const { return file_; }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
  FileHandle file_;
  std::span<const std::byte> bytes_;
};

}  // namespace hearth
