// Fuzzes HDF5 files: what they hold, and their chunks unpacked.
#include <cstring>

#include "hearth/base/error.h"
#include "hearth/format/hdf5.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto read = [&](uint64_t offset, std::span<std::byte> into) {
    if (offset > size || into.size() > size - offset) throw hearth::DataError("beyond the end");
    if (!into.empty()) std::memcpy(into.data(), data + offset, into.size());
  };
  try {
    const hearth::Hdf5File file(read, size, "fuzz");
    for (const auto& [path, place] : file.datasets()) {
      try {
        const hearth::Hdf5Dataset dataset = file.dataset(path);
        for (const hearth::Hdf5Chunk& chunk : dataset.chunks) {
          std::string packed(chunk.bytes, '\0');
          read(chunk.begin, std::as_writable_bytes(std::span(packed)));
          if (dataset.chunk_bytes() < 1U << 20)
            (void)hearth::unpack_hdf5_chunk(dataset, chunk, std::move(packed), "fuzz");
        }
      } catch (const hearth::DataError&) {
      }
    }
  } catch (const hearth::DataError&) {
  }
  return 0;
}
