// YAML text to Node and back, on libyaml's events, within limits that keep hostile files harmless.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "hearth/config/node.h"

namespace hearth {

struct YamlLimits {
  uint64_t bytes = 1 << 20;
  int depth = 32;
  int nodes = 10'000;  // after aliases are expanded
};

// One document. ConfigError names file:line:column. Duplicate keys, tags, merge keys and cyclic
// aliases are refused. Scalars keep their text; the schema decides what they mean.
[[nodiscard]] Node parse_yaml(std::string_view text, const std::string& file_name,
                              const YamlLimits& limits = {});
[[nodiscard]] Node load_yaml(const std::filesystem::path& path, const YamlLimits& limits = {});

// Block style for maps and lists of components, flow style for short leaves; reads back equal.
// `comment` says what to write behind a line that ends with this node; nothing for none.
using YamlComment = std::function<std::string(const Node& node)>;
[[nodiscard]] std::string to_yaml(const Node& node, const YamlComment& comment = {});
// The same on one line, without a line end.
[[nodiscard]] std::string to_yaml_line(const Node& node);

}  // namespace hearth
