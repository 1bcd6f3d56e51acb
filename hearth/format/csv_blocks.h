// A CSV file in blocks of whole rows: a file of any size is read in bounded memory, by as many
// threads as there are.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>

#include "hearth/base/files.h"

namespace hearth {

struct CsvBlock {
  int64_t number = -1;     // in the order of the file
  int64_t first_line = 1;  // of the file, from 1
  uint64_t end = 0;        // in the file
  std::string text;        // ends with a row's end, or with the file
};

class CsvBlocks {
 public:
  // The file stays open as long as this.
  CsvBlocks(const FileHandle& file, std::filesystem::path path, uint64_t block_bytes = 4 << 20,
            uint64_t row_limit_bytes = 64 << 20);

  // The next block, into memory that is used again; false after the last. From many threads.
  bool next(CsvBlock& block);

 private:
  // One past the last row's end in `text`, 0 when there is none. A line's end within quotes is part
  // of a field.
  [[nodiscard]] static size_t rows_end(std::string_view text);

  const FileHandle& file_;
  std::filesystem::path path_;
  uint64_t block_bytes_;
  uint64_t row_limit_bytes_;
  std::mutex mutex_;
  uint64_t file_bytes_;
  uint64_t at_ = 0;
  int64_t blocks_ = 0;
  int64_t line_ = 1;
};

}  // namespace hearth
