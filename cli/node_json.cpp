// A config value as JSON.
#include "cli/node_json.h"

#include <nlohmann/json.hpp>

namespace hearth::cli {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson scalar_json(const Node& node) {
  if (node.is_quoted()) return node.text();
  const auto parsed = OrderedJson::parse(node.text(), nullptr, /*allow_exceptions=*/false);
  const bool is_plain = parsed.is_number() || parsed.is_boolean() || parsed.is_null();
  return is_plain ? parsed : OrderedJson(node.text());
}

}  // namespace

OrderedJson json_from(const Node& node) {
  if (node.is_null()) return nullptr;
  if (node.is_scalar()) return scalar_json(node);
  if (node.is_list()) {
    auto list = OrderedJson::array();
    for (const Node& item : node.items()) list.push_back(json_from(item));
    return list;
  }
  auto map = OrderedJson::object();
  for (const Node::Entry& entry : node.entries()) map[entry.key] = json_from(entry.value);
  return map;
}

}  // namespace hearth::cli
