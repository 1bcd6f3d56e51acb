// The picture files that a source's samples lie in: found, read and told apart from others.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "hearth/core/spec.h"
#include "hearth/data/value.h"

namespace hearth {

// Names below one folder, kept in one piece of memory: there may be millions.
class ImageFiles {
 public:
  ImageFiles() = default;
  explicit ImageFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void add(std::string_view name);
  [[nodiscard]] int64_t size() const { return static_cast<int64_t>(ends_.size()); }
  [[nodiscard]] std::string_view name(int64_t index) const;
  [[nodiscard]] std::filesystem::path path(int64_t index) const { return folder_ / name(index); }
  [[nodiscard]] uint64_t resident_bytes() const {
    return names_.capacity() + ends_.capacity() * sizeof(size_t);
  }
  // Its bytes, as the file has them.
  void read(int64_t index, const Cell& cell) const;
  // Of names, sizes and contents, as sample_file.h has it.
  [[nodiscard]] std::string digest() const;

 private:
  std::filesystem::path folder_;
  std::string names_;
  std::vector<size_t> ends_;
};

// The names of picture files in a folder and all folders below it, in the order of their names;
// what begins with a dot is left out. DataError when a link leads back to a folder around it.
[[nodiscard]] std::vector<std::string> list_pictures(const std::filesystem::path& folder);

// The specs of keys that such sources yield.
[[nodiscard]] Spec encoded_image_spec();
[[nodiscard]] Spec class_spec(const std::vector<std::string>& names);

}  // namespace hearth
