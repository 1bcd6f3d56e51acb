// How many cores this process may use.
#include "cli/cores.h"

#include <sched.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "hearth/base/text.h"

namespace hearth::cli {
namespace {

constexpr const char* kControlGroups = "/sys/fs/cgroup";

// Empty when the file is missing: not every machine has control groups.
std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

int cores_by_affinity() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof(cores), &cores) == 0) return CPU_COUNT(&cores);
  return static_cast<int>(std::thread::hardware_concurrency());
}

// The process's own group in version 2, from a line "0::/some/group".
std::filesystem::path own_group() {
  for (const std::string& line : split(text_of("/proc/self/cgroup"), '\n'))
    if (line.starts_with("0::/")) return std::filesystem::path(kControlGroups) / line.substr(4);
  return kControlGroups;
}

// The tightest limit on the way from the process's group up to the root.
std::optional<int> cores_by_group() {
  std::optional<int> least;
  for (auto group = own_group(); group != group.root_path(); group = group.parent_path()) {
    const std::optional<int> cores = cores_in_cpu_max(text_of(group / "cpu.max"));
    if (cores) least = std::min(*cores, least.value_or(*cores));
    if (group == kControlGroups) break;
  }
  return least;
}

// Version 1 keeps quota and period in files of their own.
std::optional<int> cores_by_old_group() {
  const auto folder = std::filesystem::path(kControlGroups) / "cpu";
  const std::string quota = text_of(folder / "cpu.cfs_quota_us");
  if (quota.empty() || quota.starts_with('-')) return std::nullopt;
  return cores_in_cpu_max(std::string(trim(quota)) + " " + text_of(folder / "cpu.cfs_period_us"));
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

int available_cores() {
  int cores = std::max(1, cores_by_affinity());
  for (const std::optional<int>& limit : {cores_by_group(), cores_by_old_group()})
    if (limit) cores = std::min(cores, *limit);
  return cores;
}

}  // namespace hearth::cli
