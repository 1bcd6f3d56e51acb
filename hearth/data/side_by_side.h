// The keys of several sources beside each other in one sample.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hearth/data/source.h"

namespace hearth {

class SideBySide {
 public:
  // How messages call who combines them: "zip".
  explicit SideBySide(std::string combiner) : combiner_(std::move(combiner)) {}

  // `prefix` goes before each of its keys; `left_out`, if any, is not among them. DataError when a
  // key is there already.
  void add(std::unique_ptr<Source> source, const std::string& name, const std::string& prefix,
           const std::string& left_out = {});

  [[nodiscard]] const std::vector<KeySpec>& keys() const { return keys_; }
  [[nodiscard]] size_t count() const { return columns_.size(); }
  [[nodiscard]] const Source& operator[](size_t index) const { return *columns_[index].source; }
  // Lets one source fill its part of a sample's cells.
  void read(size_t source, int64_t index, std::span<const Cell> cells) const;
  [[nodiscard]] uint64_t resident_bytes() const;
  // Of all sources and the names of their keys.
  [[nodiscard]] std::string fingerprint() const;

 private:
  struct Column {
    std::unique_ptr<Source> source;
    std::string name;
    size_t first = 0;     // of its keys among all
    size_t count = 0;     // of its keys, the one left out included
    size_t left_out = 0;  // which of them; `count` for none
  };

  std::string combiner_;
  std::vector<Column> columns_;
  std::vector<KeySpec> keys_;
  std::vector<size_t> owner_;  // of each key
};

}  // namespace hearth
