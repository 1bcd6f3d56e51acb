// Tar files: ustar, with GNU's and pax' long names and sizes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/format/read_bytes.h"

namespace hearth {

struct TarEntry {
  std::string name;
  uint64_t offset = 0;  // of its bytes
  uint64_t bytes = 0;
};

// The regular files of a tar of `file_bytes`, in its order; folders, links and devices are left
// out. DataError names `what` and the byte for a wrong checksum and for entries that end beyond
// the file.
[[nodiscard]] std::vector<TarEntry> tar_entries(const ReadBytes& read, uint64_t file_bytes,
                                                const std::string& what);

}  // namespace hearth
