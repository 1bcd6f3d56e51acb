// Places of options, and errors that get one.
#include "hearth/config/place.h"

#include <memory>
#include <optional>

#include "hearth/base/text.h"

namespace hearth {
namespace {

std::string joined_path(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

Mark with_path(Mark mark, const std::string& path) {
  mark.path = std::make_shared<const std::string>(path);
  return mark;
}

void set_paths(Node& node, const std::string& path) {
  node.set_mark(with_path(node.mark(), path));
  for (size_t i = 0; i < node.items().size(); ++i)
    set_paths(node.items()[i], path + "[" + std::to_string(i) + "]");
  for (Node::Entry& entry : node.entries()) {
    const std::string below = joined_path(path, entry.key);
    entry.mark = with_path(entry.mark, below);
    set_paths(entry.value, below);
  }
}

struct NamedOption {
  Mark mark;
  size_t at;
  size_t length;
};

// Where the message names the value: a word in quotes, or a file as it is.
size_t found_in(std::string_view message, const std::string& value) {
  if (value.empty()) return std::string_view::npos;
  return value.front() == '/' ? message.find(value) : message.find(quote(value));
}

// The first value named wins; of two at one place, the longer: x-labels, not x.
void look_for_named(const Node& node, std::string_view message, std::optional<NamedOption>& best) {
  if (node.is_scalar()) {
    const size_t at = found_in(message, node.text());
    const size_t length = node.text().size();
    if (at == std::string_view::npos) return;
    if (!best || at < best->at || (at == best->at && length > best->length))
      best = NamedOption{node.mark(), at, length};
  }
  for (const Node& item : node.items()) look_for_named(item, message, best);
  for (const Node::Entry& entry : node.entries()) look_for_named(entry.value, message, best);
}

}  // namespace

Node with_option_paths(Node config) {
  set_paths(config, "");
  return config;
}

Mark mark_at(const Node& config, std::string_view path) {
  Mark mark = config.mark();
  const Node* node = &config;
  for (const std::string& name : split(path, '.')) {
    node = node->find(name);
    if (node == nullptr) return with_path(mark, std::string(path));
    mark = node->mark();
  }
  return mark.path ? mark : with_path(mark, std::string(path));
}

Mark mark_named_in(const Node& options, std::string_view message) {
  std::optional<NamedOption> best;
  look_for_named(options, message, best);
  return best ? best->mark : options.mark();
}

void rethrow_at(const Error& error, const Mark& mark) {
  const std::optional<std::string> place = mark.place();
  if (error.is_placed() || !place) throw;
  if (dynamic_cast<const ConfigError*>(&error) != nullptr) throw ConfigError(error.what(), place);
  if (dynamic_cast<const DataError*>(&error) != nullptr) throw DataError(error.what(), place);
  if (dynamic_cast<const GraphError*>(&error) != nullptr) throw GraphError(error.what(), place);
  throw;
}

}  // namespace hearth
