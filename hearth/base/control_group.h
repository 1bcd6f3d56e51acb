// The limits of this process's control group, as the kernel's files say them.
#pragma once

#include <string>
#include <vector>

namespace hearth {

// Texts of `file` ("cpu.max") in the process's group and in every group above it, nearest first; a
// file that is missing gives nothing. Control groups of version 2.
[[nodiscard]] std::vector<std::string> control_group_texts(const std::string& file);

// The text of a file of version 1, "cpu/cpu.cfs_quota_us"; empty without it.
[[nodiscard]] std::string old_control_group_text(const std::string& file);

}  // namespace hearth
