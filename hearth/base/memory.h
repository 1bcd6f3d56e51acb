// How much memory this process may use.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hearth {

// The machine's memory or its control group's limit, whichever is less.
[[nodiscard]] uint64_t available_memory();

// The limit in a memory.max of a control group, "1073741824"; nothing for "max".
[[nodiscard]] std::optional<uint64_t> bytes_in_memory_max(std::string_view text);

}  // namespace hearth
