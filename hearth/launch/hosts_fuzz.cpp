// Fuzzes lists of hosts and tasks: an error or a list, and no host without a name.
#include "hearth/launch/hosts.h"

#include <cstdlib>

#include "hearth/base/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    for (const std::string& host : hearth::hosts_in(text))
      if (host.empty()) std::abort();
  } catch (const hearth::DataError&) {
  }
  try {
    if (hearth::tasks_in(text).empty()) std::abort();
  } catch (const hearth::DataError&) {
  }
  return 0;
}
