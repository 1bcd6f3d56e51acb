// Node to YAML text that people like to read and that reads back equal.
#include <algorithm>
#include <array>
#include <cctype>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/yaml.h"
#include "hearth/config/yaml_scalar.h"

namespace hearth {
namespace {

constexpr size_t kYamlColumns = 90;
constexpr size_t kYamlKeyBytes = 1000;  // YAML's limit for a key without '?' is 1024 characters

bool holds_map(const Node& node) {
  return node.is_map() || std::any_of(node.items().begin(), node.items().end(), holds_map);
}

// Whether the node stands on the line of its key or dash, which has used `columns` already.
bool fits_on_line(const Node& node, size_t columns, int depth) {
  if (node.items().empty() && node.entries().empty()) return true;
  const bool is_leaf = node.is_list() ? !holds_map(node) : depth >= 2;
  return is_leaf && columns + to_yaml_line(node).size() <= kYamlColumns;
}

std::string yaml_block(const Node& node, size_t indent, int depth, const YamlComment& comment);

// A line's end, with what there is to say of it.
std::string line_end(const Node& node, const YamlComment& comment) {
  const std::string said = comment ? comment(node) : "";
  return said.empty() ? "\n" : "  # " + said + "\n";
}

std::string yaml_entry(const Node::Entry& entry, size_t indent, int depth,
                       const YamlComment& comment) {
  std::string head = std::string(indent, ' ') + yaml_scalar(entry.key, false);
  if (head.size() - indent > kYamlKeyBytes)
    head = head.insert(indent, "? ") + "\n" + std::string(indent, ' ');
  head += ":";
  if (fits_on_line(entry.value, head.size() + 1, depth + 1))
    return head + " " + to_yaml_line(entry.value) + line_end(entry.value, comment);
  return head + "\n" + yaml_block(entry.value, indent + 2, depth + 1, comment);
}

std::string yaml_item(const Node& item, size_t indent, int depth, const YamlComment& comment) {
  const std::string dash = std::string(indent, ' ') + "- ";
  const bool is_component = item.is_map() && item.entries().size() == 1;
  if (!is_component && fits_on_line(item, dash.size(), depth + 1))
    return dash + to_yaml_line(item) + line_end(item, comment);
  // The item's first line moves up behind the dash.
  return dash + yaml_block(item, dash.size(), depth + 1, comment).substr(dash.size());
}

std::string yaml_block(const Node& node, size_t indent, int depth, const YamlComment& comment) {
  std::string text;
  for (const Node::Entry& entry : node.entries()) text += yaml_entry(entry, indent, depth, comment);
  for (const Node& item : node.items()) text += yaml_item(item, indent, depth, comment);
  return text;
}

}  // namespace

std::string to_yaml_line(const Node& node) {
  std::vector<std::string> parts;
  for (const Node::Entry& entry : node.entries())
    parts.push_back(yaml_scalar(entry.key, false) + ": " + to_yaml_line(entry.value));
  for (const Node& item : node.items()) parts.push_back(to_yaml_line(item));
  switch (node.type()) {
    case Node::Type::kNull:
      return "null";
    case Node::Type::kScalar:
      return yaml_scalar(node.text(), node.is_quoted());
    case Node::Type::kList:
      return "[" + join(parts, ", ") + "]";
    case Node::Type::kMap:
      return "{" + join(parts, ", ") + "}";
  }
  return "";
}

std::string to_yaml(const Node& node, const YamlComment& comment) {
  if (fits_on_line(node, 0, 0)) return to_yaml_line(node) + line_end(node, comment);
  return yaml_block(node, 0, 0, comment);
}

}  // namespace hearth
