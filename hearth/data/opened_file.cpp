// A file that a source opened.
#include "hearth/data/opened_file.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "hearth/base/error.h"

namespace hearth {

void OpenedFile::open(std::filesystem::path from) {
  path = std::move(from);
  file = open_to_read(path);
  stamp = stamp_of(file, path);
}

void OpenedFile::check_unchanged() const {
  if (stamp_of(file, path) != stamp)
    throw DataError(path.string() + ": changed since it was opened.");
}

void OpenedFile::add_to(Sha256& digest) const {
  const uint64_t bytes = file_size(file, path);
  std::vector<std::byte> block(1 << 16);
  for (uint64_t offset = 0; offset < bytes; offset += block.size()) {
    const auto part = std::span(block).first(std::min<uint64_t>(block.size(), bytes - offset));
    read_at(file, offset, part, path);
    digest.add(part);
  }
  check_unchanged();
}

std::string file_digest(const std::filesystem::path& path) {
  OpenedFile file;
  file.open(path);
  Sha256 digest;
  file.add_to(digest);
  return digest.finish_hex();
}

}  // namespace hearth
