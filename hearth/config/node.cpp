// Config values: building, finding, comparing, describing.
#include "hearth/config/node.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

std::string Mark::text() const {
  if (!file) return "";
  if (line == 0) return *file;
  return *file + ":" + std::to_string(line) + ":" + std::to_string(column);
}

std::string Mark::prefix() const {
  return (file ? text() + ": " : "") + (path && !path->empty() ? *path + ": " : "");
}

std::optional<std::string> Mark::place() const {
  std::string known = prefix();
  return known.empty() ? std::nullopt : std::optional(std::move(known));
}

Mark Mark::below(const std::string& name) const {
  Mark mark = *this;
  if (path)
    mark.path = std::make_shared<const std::string>(path->empty() ? name : *path + "." + name);
  return mark;
}

Node Node::scalar(std::string text, Mark mark, bool is_quoted) {
  Node node;
  node.type_ = Type::kScalar;
  node.is_quoted_ = is_quoted;
  node.text_ = std::move(text);
  node.mark_ = std::move(mark);
  return node;
}

Node Node::list() { return list(std::vector<Node>()); }

Node Node::list(std::vector<Node> items, Mark mark) {
  Node node;
  node.type_ = Type::kList;
  node.items_ = std::move(items);
  node.mark_ = std::move(mark);
  return node;
}

Node Node::map() { return map(std::vector<Entry>()); }

Node Node::map(std::vector<Entry> entries, Mark mark) {
  Node node;
  node.type_ = Type::kMap;
  node.entries_ = std::move(entries);
  node.mark_ = std::move(mark);
  return node;
}

const Node* Node::find(std::string_view key) const {
  for (const Entry& entry : entries_)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

Node* Node::find(std::string_view key) {
  return const_cast<Node*>(static_cast<const Node*>(this)->find(key));
}

Node& Node::set(std::string key, Node value) {
  if (is_null()) type_ = Type::kMap;
  if (!is_map()) throw InternalError("cannot set " + quote(key) + " in " + describe() + ".");
  if (Node* known = find(key)) {
    *known = std::move(value);
    return *this;
  }
  Mark mark = value.mark();
  entries_.push_back({std::move(key), std::move(mark), std::move(value)});
  return *this;
}

bool Node::erase(std::string_view key) {
  return std::erase_if(entries_, [&](const Entry& entry) { return entry.key == key; }) > 0;
}

std::vector<std::string> Node::keys() const {
  std::vector<std::string> keys;
  for (const Entry& entry : entries_) keys.push_back(entry.key);
  return keys;
}

std::string Node::describe() const {
  constexpr size_t kLongest = 60;
  if (is_null()) return "nothing";
  if (is_list()) return items_.empty() ? "an empty list" : "a list";
  if (is_map()) return entries_.empty() ? "an empty map" : "a map";
  if (text_.size() <= kLongest) return quote(text_);
  size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(text_[end]) & 0xC0U) == 0x80U) --end;
  return quote(text_.substr(0, end) + "...");
}

bool Node::operator==(const Node& other) const {
  return type_ == other.type_ && text_ == other.text_ && items_ == other.items_ &&
         entries_ == other.entries_;
}

}  // namespace hearth
