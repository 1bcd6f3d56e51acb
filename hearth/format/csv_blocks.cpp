// A CSV file in blocks of whole rows.
#include "hearth/format/csv_blocks.h"

#include <algorithm>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

CsvBlocks::CsvBlocks(const FileHandle& file, std::filesystem::path path, uint64_t block_bytes,
                     uint64_t row_limit_bytes)
    : file_(file),
      path_(std::move(path)),
      block_bytes_(block_bytes),
      row_limit_bytes_(row_limit_bytes),
      file_bytes_(file_size(file, path_)) {}

bool CsvBlocks::next(CsvBlock& block) {
  const std::lock_guard lock(mutex_);
  if (at_ == file_bytes_) return false;
  // A row that is longer than the block makes it grow.
  for (uint64_t wanted = block_bytes_;; wanted *= 2) {
    if (wanted > row_limit_bytes_ && wanted > block_bytes_)
      throw DataError(path_.string() + ": has a row of more than " + human_bytes(row_limit_bytes_) +
                      ", or a quote that is never closed, after byte " + std::to_string(at_) + ".");
    block.text.resize(static_cast<size_t>(std::min(wanted, file_bytes_ - at_)));
    read_at(file_, at_, std::as_writable_bytes(std::span(block.text)), path_);
    if (at_ + block.text.size() == file_bytes_) break;
    const size_t end = rows_end(block.text);
    block.text.resize(end);
    if (end > 0) break;
  }
  at_ += block.text.size();
  block.end = at_;
  block.number = blocks_++;
  block.first_line = line_;
  line_ += std::count(block.text.begin(), block.text.end(), '\n');
  return true;
}

size_t CsvBlocks::rows_end(std::string_view text) {
  if (text.find('"') == text.npos) return text.rfind('\n') + 1;
  size_t end = 0;
  bool is_quoted = false;
  for (size_t at = 0; (at = text.find_first_of("\"\n", at)) != text.npos; ++at) {
    if (text[at] == '"')
      is_quoted = !is_quoted;
    else if (!is_quoted)
      end = at + 1;
  }
  return end;
}

}  // namespace hearth
