// Images and labels from a pair of IDX files: headers when opened, content on first use. The files
// stay open, so that what is read later is what was opened, even if its name is gone by then.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "hearth/data/opened_file.h"

namespace hearth {

class IdxPair {
 public:
  // Reads the headers and the labels; DataError when they are not bytes of [count, height, width]
  // and [count], or a label is not below `classes`. An empty path leaves the labels out.
  void open(std::filesystem::path images, std::filesystem::path labels, int64_t classes);

  [[nodiscard]] int64_t size() const { return count_; }
  [[nodiscard]] int64_t height() const { return height_; }
  [[nodiscard]] int64_t width() const { return width_; }

  // Once both are loaded.
  [[nodiscard]] uint64_t resident_bytes() const {
    return static_cast<uint64_t>(count_ * (height_ * width_ + 1));
  }

  // Writes the bytes of image `index`. The first call loads the file.
  void read_image(int64_t index, std::span<uint8_t> to) const;
  // DataError when the label is not below `classes`.
  [[nodiscard]] int64_t label(int64_t index, int64_t classes) const;

  // A digest over both files as they were opened; DataError when someone wrote into one since.
  [[nodiscard]] std::string fingerprint() const;
  [[nodiscard]] std::string describe(int64_t index) const;  // "train.idx[17]"

 private:
  // A file's bytes, loaded once by whichever thread comes first.
  struct Content : OpenedFile {
    mutable std::mutex mutex;
    mutable std::atomic<bool> is_loaded = false;
    mutable std::vector<std::byte> bytes;
    [[nodiscard]] const std::byte* load() const;
  };

  void check_labels(int64_t classes) const;

  Content images_;
  Content labels_;
  int64_t count_ = 0;
  int64_t height_ = 0;
  int64_t width_ = 0;
};

}  // namespace hearth
