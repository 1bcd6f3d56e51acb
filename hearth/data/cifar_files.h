// CIFAR's binary files: records of class numbers and an image, red, green and blue one by one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "hearth/data/opened_file.h"
#include "hearth/data/value.h"

namespace hearth {

class CifarFiles {
 public:
  // `labels`: how many bytes of class numbers stand before an image.
  explicit CifarFiles(int64_t labels) : labels_(labels) {}

  // DataError when a file is not there, or holds no whole number of records.
  void open(const std::filesystem::path& folder, const std::vector<std::string>& names);
  [[nodiscard]] int64_t size() const { return files_.empty() ? 0 : files_.back().end; }
  // The image as 32 x 32 x 3 and class number k to cells[k + 1], of `classes[k]` at most.
  void read(int64_t index, std::span<const int64_t> classes, std::span<const Cell> cells) const;
  [[nodiscard]] std::string describe(int64_t index) const;  // "data_batch_1.bin[17]"
  [[nodiscard]] std::string digest() const;

 private:
  struct File {
    OpenedFile file;
    int64_t begin = 0;
    int64_t end = 0;
  };
  [[nodiscard]] int64_t record_bytes() const;
  [[nodiscard]] const File& file_of(int64_t index) const;

  int64_t labels_;
  std::vector<File> files_;
};

[[nodiscard]] Spec cifar_image_spec();

}  // namespace hearth
