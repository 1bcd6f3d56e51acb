// An array in a file, a row of it at a time as a value of a sample.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "hearth/core/spec.h"
#include "hearth/data/value.h"
#include "hearth/format/array_type.h"

namespace hearth {

struct ArrayForm {
  ArrayType type = ArrayType::kFloat32;
  std::vector<int64_t> shape = {};  // the first length is the number of rows
  bool is_swapped = false;          // the bytes of each number come in the other order
  bool is_fortran = false;          // the first index runs fastest
  uint64_t resident_bytes = 0;      // that reading it keeps in memory
};

class ArrayRows {
 public:
  // Bytes of the array from an offset on. Called from many threads.
  using ReadAt = std::function<void(uint64_t offset, std::span<std::byte> into)>;

  // `what` is how messages call it. DataError for an array without rows. One in Fortran's order is
  // loaded and turned around, when it is not too large.
  ArrayRows(std::string key, ArrayForm form, ReadAt read, std::string what);

  [[nodiscard]] int64_t size() const { return form_.shape[0]; }
  [[nodiscard]] const KeySpec& key() const { return key_; }
  [[nodiscard]] const std::string& what() const { return what_; }
  [[nodiscard]] uint64_t resident_bytes() const { return form_.resident_bytes; }
  // Numbers of so many classes, to be predicted. ConfigError when they are no whole numbers.
  void set_classes(int64_t classes);
  // Height, width and channels, which may be missing. ConfigError when it has another shape.
  void set_image();
  void read(int64_t index, const Cell& cell) const;

 private:
  void turn_around();
  void check_class(int64_t index, const Cell& cell) const;

  KeySpec key_;
  ArrayForm form_;
  ReadAt read_;
  std::string what_;
  uint64_t row_bytes_ = 0;  // in the file
};

// What a config says of arrays, whatever file they come from.
struct ArrayOptions {
  std::map<std::string, int64_t> classes;  // by key
  std::vector<std::string> images;         // keys
};

// Arrays with as many rows each, as the keys of a source.
class ArrayTable {
 public:
  void add(ArrayRows array) { arrays_.push_back(std::move(array)); }
  // Checks that they fit together. ConfigError for a key that there is none of.
  void finish(const ArrayOptions& options);
  [[nodiscard]] std::vector<KeySpec> keys() const;
  [[nodiscard]] int64_t size() const { return arrays_.front().size(); }
  [[nodiscard]] uint64_t resident_bytes() const;
  void read(int64_t index, std::span<const Cell> cells) const;

 private:
  [[nodiscard]] ArrayRows& find(const std::string& key, const std::string& option);
  std::vector<ArrayRows> arrays_;
};

}  // namespace hearth
