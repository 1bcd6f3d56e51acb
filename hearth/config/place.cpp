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

// Looks through options for what a message names: words stand there in quotes, files as they are.
// The first that it names wins; of two at one place, the longer: x-labels, not x.
class NamedSearch {
 public:
  explicit NamedSearch(std::string_view message) : message_(message) {}

  // Values, and the keys of an option that is a map: {lable: category}. Keys of the options
  // themselves and of what stands in lists are names of options and components.
  void look(const Node& node, bool takes_keys = false) {
    if (node.is_scalar()) take(node.text(), node.mark());
    for (const Node& item : node.items()) look(item);
    for (const Node::Entry& entry : node.entries()) {
      if (takes_keys) take(entry.key, entry.mark);
      look(entry.value, true);
    }
  }
  [[nodiscard]] std::optional<Mark> found() const {
    return best_ ? std::optional(best_->mark) : std::nullopt;
  }

 private:
  void take(const std::string& text, const Mark& mark) {
    if (text.empty()) return;
    const bool is_file = text.front() == '/';
    const size_t at = is_file ? message_.find(text) : message_.find(quote(text));
    if (at == std::string_view::npos) return;
    if (!best_ || at < best_->at || (at == best_->at && text.size() > best_->length))
      best_ = NamedOption{mark, at, text.size()};
  }

  std::string_view message_;
  std::optional<NamedOption> best_;
};

std::optional<Mark> named_in(const Node& options, std::string_view message) {
  NamedSearch search(message);
  search.look(options);
  return search.found();
}

// "columns: 'label' is ..." is about that option, whatever else has the name.
const Node::Entry* option_told_of(const Node& options, std::string_view message) {
  for (const Node::Entry& entry : options.entries())
    if (message.starts_with(entry.key + ": ")) return &entry;
  return nullptr;
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
  if (const Node::Entry* told = option_told_of(options, message))
    return named_in(Node::map({*told}), message).value_or(told->mark);
  return named_in(options, message).value_or(options.mark());
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
