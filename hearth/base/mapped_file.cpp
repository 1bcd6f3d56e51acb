// A whole file as memory.
#include "hearth/base/mapped_file.h"

#include <sys/mman.h>

#include <utility>

#include "hearth/base/error.h"

namespace hearth {

MappedFile::MappedFile(const fs::path& path) : path_(path), file_(open_to_read(path)) {
  const uint64_t count = file_size(file_, path);
  if (count == 0) return;  // which cannot be mapped
  void* start = ::mmap(nullptr, count, PROT_READ, MAP_PRIVATE, file_.descriptor(), 0);
  if (start == MAP_FAILED) throw DataError(path.string() + " cannot be mapped into memory.");
  bytes_ = {static_cast<const std::byte*>(start), count};
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::move(other.file_)),
      bytes_(std::exchange(other.bytes_, {})) {}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

std::span<const std::byte> MappedFile::part(uint64_t begin, uint64_t count) const {
  if (begin > bytes_.size() || count > bytes_.size() - begin)
    throw DataError(path_.string() + ": is cut off, or damaged: bytes are missing. Get it again.");
  return bytes_.subspan(begin, count);
}

}  // namespace hearth
