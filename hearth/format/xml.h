// XML as a tree, through expat, within limits: no document type, no entities of its own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

struct XmlLimits {
  uint64_t bytes = 64ULL << 20;
  uint64_t elements = 1'000'000;
  int depth = 64;
};

struct XmlElement {
  std::string name;
  std::string text;  // its own, without that of its children and space around it
  int64_t line = 0;
  std::vector<XmlElement> children = {};

  // The first child of this name, or nothing.
  [[nodiscard]] const XmlElement* child(std::string_view name) const;
};

// The outermost element; attributes are left out. DataError names `what:line`.
[[nodiscard]] XmlElement parse_xml(std::string_view text, const std::string& what,
                                   const XmlLimits& limits = {});

}  // namespace hearth
