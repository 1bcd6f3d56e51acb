// Pieces are written by a call and mapped afterwards: a full disk is an answer then, not a signal.
#include "hearth/data/overflow_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include "hearth/base/error.h"

namespace hearth {

namespace {

[[noreturn]] void throw_overflow_error(const fs::path& folder, const std::string& what) {
  throw DataError(folder.string() + ": " + what + ": " + std::generic_category().message(errno) +
                  ".");
}

}  // namespace

OverflowFile::OverflowFile(const fs::path& folder) : folder_(folder) {
  make_folder(folder);
  std::string name = (folder / "overflow-XXXXXX").string();
  file_ = FileHandle(::mkostemp(name.data(), O_CLOEXEC));
  if (!file_.is_open()) throw_overflow_error(folder_, "no file can be made there");
  ::unlink(name.c_str());
}

OverflowFile::~OverflowFile() {
  for (const std::span<std::byte> piece : pieces_) ::munmap(piece.data(), piece.size());
}

// Each begins with a page of its own.
uint64_t OverflowFile::reserve(uint64_t bytes) {
  const auto page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::lock_guard lock(mutex_);
  const uint64_t begin = end_;
  end_ += (bytes + page - 1) / page * page;
  return begin;
}

std::span<std::byte> OverflowFile::keep(std::span<const std::byte> bytes) {
  if (bytes.empty()) return {};
  const uint64_t begin = reserve(bytes.size());
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t count = ::pwrite(file_.descriptor(), bytes.data() + done, bytes.size() - done,
                                   static_cast<off_t>(begin + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw_overflow_error(folder_, "a file there cannot grow");
    done += static_cast<size_t>(count);
  }
  void* start = ::mmap(nullptr, bytes.size(), PROT_READ | PROT_WRITE, MAP_SHARED,
                       file_.descriptor(), static_cast<off_t>(begin));
  if (start == MAP_FAILED) throw_overflow_error(folder_, "a file there cannot be mapped");
  const std::span<std::byte> piece(static_cast<std::byte*>(start), bytes.size());
  const std::lock_guard lock(mutex_);
  pieces_.push_back(piece);
  return piece;
}

}  // namespace hearth
