// A stretch of a table's rows: filled in memory, and kept there or in a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hearth/data/overflow_file.h"

namespace hearth {

// Values that were put one after the other, wherever they lie by now.
template <class T>
class TableValues {
 public:
  // To be filled, before they move to a file.
  [[nodiscard]] std::vector<T>& own() { return own_; }
  [[nodiscard]] std::span<T> all() { return mapped_.empty() ? std::span<T>(own_) : mapped_; }
  [[nodiscard]] std::span<const T> all() const {
    return mapped_.empty() ? std::span<const T>(own_) : std::span<const T>(mapped_);
  }
  [[nodiscard]] uint64_t resident_bytes() const { return own_.capacity() * sizeof(T); }
  void move_to(OverflowFile& file) {
    const std::span<std::byte> kept = file.keep(std::as_bytes(std::span(own_)));
    mapped_ = {reinterpret_cast<T*>(kept.data()), own_.size()};
    own_ = {};
  }

 private:
  std::vector<T> own_;
  std::span<T> mapped_;
};

// As one part of the table's file had them.
struct TableBlock {
  int64_t number = 0;  // among all blocks
  size_t file = 0;
  int64_t first_line = 1;
  TableValues<std::byte> rows = {};  // of TableLayout::row_bytes each
  TableValues<uint32_t> lines = {};  // of each row, from first_line on
  TableValues<char> texts = {};      // of columns of text, one after the other

  [[nodiscard]] uint64_t bytes() const {
    return rows.all().size() + 4 * lines.all().size() + texts.all().size();
  }
  [[nodiscard]] uint64_t resident_bytes() const {
    return rows.resident_bytes() + lines.resident_bytes() + texts.resident_bytes();
  }
  void move_to(OverflowFile& overflow) {
    rows.move_to(overflow);
    lines.move_to(overflow);
    texts.move_to(overflow);
  }
};

}  // namespace hearth
