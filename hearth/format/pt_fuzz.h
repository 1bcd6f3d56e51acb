// For the fuzz targets of both forms of torch.save's files, which begin with different corpora.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "hearth/base/error.h"
#include "hearth/format/pt.h"

namespace hearth {

inline void fuzz_pt(const uint8_t* data, size_t size) {
  constexpr uint64_t kMostBytes = 1 << 16;  // tensors may repeat what little the file holds
  const int file = memfd_create("fuzz", 0);
  if (file < 0 || write(file, data, size) != static_cast<ssize_t>(size)) std::abort();
  try {
    const PtFile opened("/proc/self/fd/" + std::to_string(file));
    std::vector<std::byte> room;
    for (const PtTensor& tensor : opened.tensors()) {
      const uint64_t bytes = tensor.count * size_of(opened.type_of(tensor));
      if (bytes <= kMostBytes && opened.bytes(tensor, room).size() != bytes) std::abort();
    }
  } catch (const DataError&) {
  }
  close(file);
}

}  // namespace hearth
