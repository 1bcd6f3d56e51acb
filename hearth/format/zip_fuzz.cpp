// Fuzzes ZIP archives as a file in memory: the directory, then every entry.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

#include "hearth/base/error.h"
#include "hearth/format/zip.h"

namespace {

constexpr uint64_t kFuzzLimitBytes = 1 << 20;

void read_all_entries(const std::string& path) {
  const hearth::FileHandle file = hearth::open_to_read(path);
  for (const hearth::ZipEntry& entry : hearth::read_zip_directory(file, path)) {
    try {
      if (hearth::read_zip_entry(file, path, entry, kFuzzLimitBytes).size() != entry.bytes)
        std::abort();
    } catch (const hearth::DataError&) {
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const int file = memfd_create("fuzz", 0);
  if (file < 0 || write(file, data, size) != static_cast<ssize_t>(size)) std::abort();
  try {
    read_all_entries("/proc/self/fd/" + std::to_string(file));
  } catch (const hearth::DataError&) {
  }
  close(file);
  return 0;
}
