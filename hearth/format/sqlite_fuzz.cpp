// Fuzzes SQLite databases as a file in memory: the rows of a query over the table `t`.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

#include "hearth/base/error.h"
#include "hearth/format/sqlite.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const int file = memfd_create("fuzz", 0);
  if (file < 0 || write(file, data, size) != static_cast<ssize_t>(size)) std::abort();
  try {
    hearth::SqliteQuery query("/proc/self/fd/" + std::to_string(file), "SELECT * FROM t LIMIT 100");
    for (std::vector<std::string_view> values; query.next(values);)
      if (values.size() != query.columns().size()) std::abort();
  } catch (const hearth::Error&) {
  }
  close(file);
  return 0;
}
