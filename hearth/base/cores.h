// How many cores this process may use.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace hearth {

// By the process's affinity and its control group's limit; at least 1.
[[nodiscard]] int available_cores();

// The numbers of the cores this thread may run on; empty when the system does not say.
[[nodiscard]] std::vector<int> usable_cores();

// The limit in a cpu.max of control group version 2, "150000 100000"; nothing for "max".
[[nodiscard]] std::optional<int> cores_in_cpu_max(std::string_view text);

}  // namespace hearth
