// Images and labels from a pair of IDX files: headers when opened, content on first use.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

namespace hearth {

class IdxPair {
 public:
  // Reads the headers; DataError when they are not bytes of [count, height, width] and [count]. The
  // labels may be left out with an empty path.
  void open(std::filesystem::path images, std::filesystem::path labels);

  [[nodiscard]] int64_t size() const { return count_; }
  [[nodiscard]] int64_t height() const { return height_; }
  [[nodiscard]] int64_t width() const { return width_; }

  // Writes image `index` as floats, each byte times `scale`. The first call loads the file.
  void read_image(int64_t index, float scale, float* to) const;
  // DataError when the label is not below `classes`.
  [[nodiscard]] int64_t label(int64_t index, int64_t classes) const;

  // A digest over both files.
  [[nodiscard]] std::string fingerprint() const;
  [[nodiscard]] std::string describe(int64_t index) const;  // "train.idx[17]"

 private:
  // A file's bytes, loaded once by whichever thread comes first.
  struct Content {
    std::filesystem::path path;
    mutable std::mutex mutex;
    mutable std::atomic<bool> is_loaded = false;
    mutable std::vector<std::byte> bytes;
    [[nodiscard]] const std::byte* load(uint64_t expected_bytes) const;
  };

  Content images_;
  Content labels_;
  int64_t count_ = 0;
  int64_t height_ = 0;
  int64_t width_ = 0;
};

}  // namespace hearth
