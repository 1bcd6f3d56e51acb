// Writes ZIP archives of stored entries, durable or not at all; what the readers of NumPy and
// PyTorch take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearth/base/files.h"

namespace hearth {

class ZipWriter {
 public:
  explicit ZipWriter(const std::filesystem::path& path) : file_(path) {}
  // `parts` one after the other are the entry. Their bytes begin at a multiple of 64 in the file,
  // so that they can be mapped.
  void add(const std::string& name, const std::vector<std::span<const std::byte>>& parts);
  void add(const std::string& name, std::string_view text);
  // Writes the directory; before it, there is no file.
  void finish();

 private:
  struct Written {
    std::string name;
    uint32_t crc = 0;
    uint64_t bytes = 0;
    uint64_t begin = 0;  // of its header
  };
  void write(std::string_view text);

  DurableFile file_;
  std::vector<Written> entries_;
  uint64_t at_ = 0;
};

}  // namespace hearth
