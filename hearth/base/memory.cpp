// How much memory this process may use.
#include "hearth/base/memory.h"

#include <unistd.h>

#include <algorithm>
#include <string>

#include "hearth/base/control_group.h"
#include "hearth/base/text.h"

namespace hearth {

std::optional<uint64_t> bytes_in_memory_max(std::string_view text) {
  const std::optional<int64_t> bytes = read_integer(trim(text));
  if (!bytes || *bytes <= 0) return std::nullopt;
  return static_cast<uint64_t>(*bytes);
}

uint64_t available_memory() {
  uint64_t bytes = static_cast<uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES))) *
                   static_cast<uint64_t>(std::max(0L, sysconf(_SC_PAGE_SIZE)));
  std::vector<std::string> limits = control_group_texts("memory.max");
  limits.push_back(old_control_group_text("memory/memory.limit_in_bytes"));
  for (const std::string& limit : limits)
    bytes = std::min(bytes, bytes_in_memory_max(limit).value_or(bytes));
  return bytes;
}

}  // namespace hearth
