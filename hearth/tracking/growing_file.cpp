// A file that only grows.
#include "hearth/tracking/growing_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "hearth/base/error.h"

namespace hearth {

GrowingFile::GrowingFile(fs::path path, int flags)
    : path_(std::move(path)),
      file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0644)) {
  if (!file_.is_open()) fail("open");
}

GrowingFile::GrowingFile(fs::path path) : GrowingFile(std::move(path), O_TRUNC) {}

GrowingFile GrowingFile::at_end_of(const fs::path& path) { return {path, O_APPEND}; }

void GrowingFile::fail(const std::string& action) const {
  throw DataError("cannot " + action + " " + path_.string() + ": " + std::strerror(errno) + ".");
}

void GrowingFile::flush() {
  for (size_t done = 0; done < waiting_.size();) {
    const ssize_t written =
        ::write(file_.descriptor(), waiting_.data() + done, waiting_.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write");
    done += static_cast<size_t>(written);
  }
  waiting_.clear();
}

void GrowingFile::sync() {
  flush();
  if (file_.is_open() && ::fsync(file_.descriptor()) != 0) fail("write");
}

}  // namespace hearth
