// The limits of this process's control group, as the kernel's files say them.
#include "hearth/base/control_group.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "hearth/base/text.h"

namespace hearth {
namespace {

constexpr const char* kControlGroups = "/sys/fs/cgroup";

// Empty when the file is missing: not every machine has control groups.
std::string control_group_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The process's own group in version 2, from a line "0::/some/group".
std::filesystem::path own_control_group() {
  for (const std::string& line : split(control_group_text("/proc/self/cgroup"), '\n'))
    if (line.starts_with("0::/")) return std::filesystem::path(kControlGroups) / line.substr(4);
  return kControlGroups;
}

}  // namespace

std::vector<std::string> control_group_texts(const std::string& file) {
  std::vector<std::string> texts;
  for (auto group = own_control_group(); group != group.root_path(); group = group.parent_path()) {
    if (std::string text = control_group_text(group / file); !text.empty())
      texts.push_back(std::move(text));
    if (group == kControlGroups) break;
  }
  return texts;
}

std::string old_control_group_text(const std::string& file) {
  return control_group_text(std::filesystem::path(kControlGroups) / file);
}

}  // namespace hearth
