// The text of an override, taken apart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/node.h"

namespace hearth {

// A name, or an index when the name is empty.
struct PathStep {
  std::string name;
  int64_t index = 0;
  [[nodiscard]] bool is_index() const { return name.empty(); }
};

struct Override {
  std::string text;
  std::vector<PathStep> path;
  bool is_append = false;
  Node value;
};

// ConfigError for a text that is not path=value or path+=value. All marks say "command line
// 'text'".
[[nodiscard]] Override parse_override(const std::string& text);

[[noreturn]] void throw_override_fault(const std::string& text, const std::string& message);

}  // namespace hearth
