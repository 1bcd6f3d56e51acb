// How many cores this process may use.
#include "hearth/base/cores.h"

#include <sched.h>

#include <algorithm>
#include <string>
#include <thread>

#include "hearth/base/control_group.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

int cores_by_affinity() {
  const std::vector<int> cores = usable_cores();
  return static_cast<int>(cores.empty() ? std::thread::hardware_concurrency() : cores.size());
}

// Version 1 keeps quota and period in files of their own.
std::string old_cpu_max() {
  const std::string quota = old_control_group_text("cpu/cpu.cfs_quota_us");
  return std::string(trim(quota)) + " " + old_control_group_text("cpu/cpu.cfs_period_us");
}

}  // namespace

std::optional<int> cores_in_cpu_max(std::string_view text) {
  const std::vector<std::string> words = split(trim(text), ' ');
  if (words.size() != 2) return std::nullopt;
  const auto quota = read_number(words[0]);
  const auto period = read_number(words[1]);
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  // Rounded down: threads beyond the quota only wait for each other.
  return static_cast<int>(std::clamp(*quota / *period, 1.0, 1024.0));
}

std::vector<int> usable_cores() {
  std::vector<int> numbers;
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof(cores), &cores) != 0) return numbers;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &cores)) numbers.push_back(core);
  return numbers;
}

int available_cores() {
  int cores = std::max(1, cores_by_affinity());
  std::vector<std::string> limits = control_group_texts("cpu.max");
  limits.push_back(old_cpu_max());
  for (const std::string& limit : limits)
    cores = std::min(cores, cores_in_cpu_max(limit).value_or(cores));
  return cores;
}

}  // namespace hearth
