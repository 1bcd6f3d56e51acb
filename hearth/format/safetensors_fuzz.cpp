// Fuzzes safetensors as a file in memory: opening, reading every tensor, verifying.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "hearth/base/error.h"
#include "hearth/format/safetensors.h"

namespace {

void read_everything(const std::string& path, size_t size) {
  const hearth::SafetensorsFile file(path);
  uint64_t total = 0;
  for (const hearth::TensorEntry& entry : file.entries()) {
    std::vector<std::byte> bytes(entry.bytes());
    file.read(entry.name, bytes);
    total += bytes.size();
  }
  if (total > size) std::abort();
  file.verify_digest();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const int file = memfd_create("fuzz", 0);
  if (file < 0 || write(file, data, size) != static_cast<ssize_t>(size)) std::abort();
  try {
    read_everything("/proc/self/fd/" + std::to_string(file), size);
  } catch (const hearth::DataError&) {
  }
  close(file);
  return 0;
}
