// A file that only grows, in whole pieces, so that others can read it meanwhile.
#pragma once

#include <string>
#include <string_view>

#include "hearth/base/files.h"

namespace hearth {

// What is added waits until `flush`. DataError names the file when the disk refuses it: the file
// may then end in the middle of a piece and must be begun anew.
class GrowingFile {
 public:
  GrowingFile() = default;
  // Empty at first, whatever was there.
  explicit GrowingFile(fs::path path);
  // Goes on behind what is there.
  [[nodiscard]] static GrowingFile at_end_of(const fs::path& path);

  void add(std::string_view piece) { waiting_ += piece; }
  void flush();
  void flush_when_much_waits() {
    if (waiting_.size() > kMostWaitingBytes) flush();
  }
  // And through a power loss.
  void sync();
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  static constexpr size_t kMostWaitingBytes = 1 << 20;
  GrowingFile(fs::path path, int flags);
  [[noreturn]] void fail(const std::string& action) const;

  fs::path path_;
  FileHandle file_;
  std::string waiting_;
};

}  // namespace hearth
