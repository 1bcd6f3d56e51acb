// How much memory this process may use.
#include "hearth/base/memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "hearth/base/control_group.h"
#include "hearth/base/text.h"

namespace hearth {

std::optional<uint64_t> bytes_in_memory_max(std::string_view text) {
  const std::optional<int64_t> bytes = read_integer(trim(text));
  if (!bytes || *bytes <= 0) return std::nullopt;
  return static_cast<uint64_t>(*bytes);
}

namespace {

// What `ulimit -v` leaves of addresses; the most there are where it is not set.
uint64_t addresses_left() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
  uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const uint64_t taken = pages * static_cast<uint64_t>(std::max(0L, sysconf(_SC_PAGE_SIZE)));
  return limit.rlim_cur > taken ? limit.rlim_cur - taken : 0;
}

}  // namespace

uint64_t available_memory() {
  uint64_t bytes = static_cast<uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES))) *
                   static_cast<uint64_t>(std::max(0L, sysconf(_SC_PAGE_SIZE)));
  std::vector<std::string> limits = control_group_texts("memory.max");
  limits.push_back(old_control_group_text("memory/memory.limit_in_bytes"));
  for (const std::string& limit : limits)
    bytes = std::min(bytes, bytes_in_memory_max(limit).value_or(bytes));
  return std::min(bytes, addresses_left());
}

ProcessMemory process_memory() {
  ProcessMemory memory;
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    uint64_t* const number = word == "VmRSS:"   ? &memory.resident_bytes
                             : word == "VmHWM:" ? &memory.peak_bytes
                                                : nullptr;
    if (number != nullptr && status >> *number) *number *= 1024;  // the file has kB
  }
  return memory;
}

}  // namespace hearth
