// Components of a config, found and changed.
#include "hearth/experiment/rewrite.h"

#include "hearth/base/text.h"

namespace hearth {

bool has_value(const Node& options, std::string_view option) {
  const Node* node = options.find(option);
  return node != nullptr && !node->is_null();
}

std::string text_or(const Node& options, std::string_view option, const std::string& otherwise) {
  const Node* node = options.find(option);
  if (node != nullptr && node->is_list() && !node->items().empty()) node = &node->items().front();
  return node != nullptr && node->is_scalar() ? node->text() : otherwise;
}

Node as_component(const Node& choice) {
  Node map = choice;
  if (choice.is_scalar())
    map = Node::map({{choice.text(), choice.mark(), Node::map({}, choice.mark())}}, choice.mark());
  if (map.is_map() && !map.entries().empty())
    if (Node::Entry& entry = map.entries().front(); entry.value.is_null())
      entry.value = Node::map({}, entry.mark);
  return map;
}

Node with_mark(Node value, const Mark& mark) {
  value.set_mark(mark);
  for (Node& item : value.items()) item = with_mark(std::move(item), mark);
  for (Node::Entry& entry : value.entries())
    entry = {entry.key, mark, with_mark(std::move(entry.value), mark)};
  return value;
}

Node component(const std::string& name, const std::vector<std::pair<std::string, Node>>& options,
               const Mark& mark) {
  Node map = Node::map({}, mark);
  for (const auto& [key, value] : options)
    map.entries().push_back({key, mark, with_mark(value, mark)});
  return Node::map({{name, mark, std::move(map)}}, mark);
}

Node text_list(const std::vector<std::string>& texts) {
  std::vector<Node> items;
  for (const std::string& text : texts) items.push_back(Node::scalar(text));
  return Node::list(std::move(items));
}

Node& component_list(Node& config, std::string_view path) {
  Node* node = &config;
  for (const std::string& name : split(path, '.')) {
    if (node->find(name) == nullptr) node->set(name, Node());
    node = node->find(name);
  }
  if (node->is_null()) *node = Node::list({}, node->mark());
  if (!node->is_list()) *node = Node::list({*node}, node->mark());
  for (Node& item : node->items()) item = as_component(item);
  return *node;
}

std::vector<ListedComponent> components_named(Node& config, std::string_view path,
                                              std::string_view name) {
  std::vector<ListedComponent> found;
  std::vector<Node>& items = component_list(config, path).items();
  for (size_t i = 0; i < items.size(); ++i)
    if (Node* options = items[i].find(name))
      found.push_back(
          {std::string(path) + "[" + std::to_string(i) + "] " + std::string(name), options});
  return found;
}

std::string quoted_names(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + quote(names[i]);
  return text;
}

}  // namespace hearth
