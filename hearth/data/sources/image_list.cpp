// Image files that a table names: `image` as the file has it, and a key for each further column.
#include "hearth/data/sources/image_list.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/image_files.h"
#include "hearth/data/named_table.h"

namespace hearth::sources {

namespace {

class ImageList : public Source {
 public:
  using Options = ImageListOptions;
  explicit ImageList(Options options) : options_(std::move(options)) {}

  void open() override {
    const NamedTable table(options_.file, options_.columns);
    table_digest_ = sha256_hex(table.text());
    const std::string path = options_.path.empty() ? table.columns()[0] : options_.path;
    add_files(table, table.column(path));
    std::optional<NamedTable> other;
    if (!options_.classes_from.empty()) other.emplace(options_.classes_from, options_.columns);
    for (const std::string& column : labels_of(table, path)) {
      const auto names = classes_of(other ? *other : table, column);
      columns_.push_back({{column, class_spec(names)}, class_numbers(table, column, names), {}});
    }
    for (const std::string& column : options_.numbers)
      columns_.push_back({{column, {.dtype = DType::kFloat32}}, {}, numbers_of(table, column)});
    check_keys();
  }

  std::vector<KeySpec> keys() const override {
    std::vector<KeySpec> keys = {{"image", encoded_image_spec()}};
    for (const Column& column : columns_) keys.push_back(column.key);
    return keys;
  }

  int64_t size() const override { return files_.size(); }

  void read(int64_t index, std::span<const Cell> cells) const override {
    if (cells[0].is_wanted()) files_.read(index, cells[0]);
    const auto row = static_cast<size_t>(index);
    for (size_t c = 0; c < columns_.size(); ++c) {
      if (!cells[c + 1].is_wanted()) continue;
      if (columns_[c].numbers.empty())
        cells[c + 1].set(columns_[c].classes[row]);
      else
        cells[c + 1].set(columns_[c].numbers[row]);
    }
  }

  uint64_t resident_bytes() const override {
    uint64_t bytes = files_.resident_bytes();
    for (const Column& column : columns_)
      bytes +=
          column.classes.capacity() * sizeof(int64_t) + column.numbers.capacity() * sizeof(float);
    return bytes;
  }
  std::string fingerprint() const override {
    return "image_list:" + table_digest_ + ":" + files_.digest();
  }
  std::string describe(int64_t index) const override { return std::string(files_.name(index)); }

 private:
  // What one column of the table becomes: a class or a number of each row.
  struct Column {
    KeySpec key;
    std::vector<int64_t> classes;
    std::vector<float> numbers;
  };

  void add_files(const NamedTable& table, size_t column) {
    const fs::path home = fs::path(options_.file).parent_path();
    files_ = ImageFiles(options_.folder.empty() ? home : fs::path(options_.folder));
    for (int64_t row = 0; row < table.rows(); ++row) {
      if (table.at(row, column).empty()) throw DataError(table.place(row) + ": names no image.");
      files_.add(table.at(row, column));
    }
  }

  [[nodiscard]] std::vector<std::string> labels_of(const NamedTable& table,
                                                   const std::string& path) const {
    if (!options_.labels.empty()) return options_.labels;
    std::vector<std::string> others;
    for (const std::string& column : table.columns())
      if (column != path && std::find(options_.numbers.begin(), options_.numbers.end(), column) ==
                                options_.numbers.end())
        others.push_back(column);
    return others;
  }

  static std::vector<float> numbers_of(const NamedTable& table, const std::string& column) {
    const size_t at = table.column(column);
    std::vector<float> numbers;
    for (int64_t row = 0; row < table.rows(); ++row) {
      const auto number = read_number(trim(table.at(row, at)));
      if (!number || !std::isfinite(static_cast<float>(*number)))
        throw DataError(table.place(row) + ": the column " + quote(column) +
                        " must be a finite number, but is " + quote(table.at(row, at)) + ".");
      numbers.push_back(static_cast<float>(*number));
    }
    return numbers;
  }

  void check_keys() const {
    std::vector<std::string> seen;
    for (const KeySpec& key : keys()) {
      if (std::find(seen.begin(), seen.end(), key.key) != seen.end())
        throw DataError(options_.file + ": the key " + quote(key.key) +
                        " would be there twice. Name 'labels' and 'numbers', each column once; "
                        "the picture itself is 'image'.");
      seen.push_back(key.key);
    }
  }

  Options options_;
  std::string table_digest_;
  ImageFiles files_;
  std::vector<Column> columns_;
};

}  // namespace

const Schema<ImageListOptions>& ImageListOptions::schema() {
  using O = ImageListOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::file, "file",
                 "A table with a row for each image: CSV, or words with tabs, semicolons or spaces "
                 "between. Its first row names the columns.",
                 is_path(), required(), not_empty())
          .field(&O::folder, "folder",
                 "Where the paths in the table start; the folder of the table when left out.",
                 is_path())
          .field(&O::path, "path", "The column of the images' paths; the first one when left out.")
          .field(&O::labels, "labels",
                 "Columns of classes, a key for each: numbers from 0, or names, which are numbered "
                 "in order. All other columns when left out.")
          .field(&O::numbers, "numbers", "Columns of numbers, a key of one float32 for each.")
          .field(&O::columns, "columns",
                 "The columns' names, for a table whose first row is an image already.")
          .field(&O::classes_from, "classes_from",
                 "Another such table, that of the training images, whose classes number these.",
                 is_path());
  return schema;
}

Choice<Source> image_list(const ImageListOptions& options) {
  return choose<Source>("image_list", options);
}

void register_image_list(Registry<Source>& registry) {
  registry.add<ImageList>("image_list", "Image files that a table names, with their labels.");
}

}  // namespace hearth::sources
