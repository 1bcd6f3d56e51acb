// Lists of hosts as Slurm writes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hearth {

// "node[08-10,12],login" is node08, node09, node10, node12, login. DataError for what is no such
// list or names more than 100,000 hosts.
[[nodiscard]] std::vector<std::string> hosts_in(std::string_view list);

// How many tasks each host has: "2(x3),1" is 2, 2, 2, 1.
[[nodiscard]] std::vector<int> tasks_in(std::string_view list);

}  // namespace hearth
