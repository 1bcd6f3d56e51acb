// Fuzzes the reader of run logs: a file that is written in two pieces and cut in between.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "hearth/base/error.h"
#include "hearth/core/log_reader.h"

namespace {

constexpr uint64_t kMostLine = 4096;

// What a consumer would hold: it must agree with what the reader says it gave.
void read_news(hearth::LogReader& reader, uint64_t& held) {
  try {
    for (hearth::LogNews news = reader.next(); news.index() != 0; news = reader.next()) {
      if (const auto* cut = std::get_if<hearth::LogCut>(&news)) {
        if (cut->events >= held) std::abort();
        held = cut->events;
      } else {
        ++held;
      }
      if (held != reader.events()) std::abort();
    }
  } catch (const hearth::DataError&) {
  }
}

void put(int file, const uint8_t* data, size_t size) {
  if (::write(file, data, size) != static_cast<ssize_t>(size)) std::abort();
}

}  // namespace

// The first two bytes say where the pieces part and how much of the first stays.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const size_t first = (size - 2) * data[0] / 255;
  const size_t kept = first * data[1] / 255;
  const int file = ::memfd_create("log", MFD_CLOEXEC);
  if (file < 0) std::abort();
  hearth::LogReader reader("/proc/self/fd/" + std::to_string(file), kMostLine);
  uint64_t held = 0;
  put(file, data + 2, first);
  read_news(reader, held);
  if (::ftruncate(file, static_cast<off_t>(kept)) != 0 ||
      ::lseek(file, 0, SEEK_END) != static_cast<off_t>(kept))
    std::abort();
  put(file, data + 2 + first, size - 2 - first);
  read_news(reader, held);
  ::close(file);
  return 0;
}
