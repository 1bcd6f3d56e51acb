// A config value with the place it came from: what YAML, overrides and C++ options all become.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hearth {

// Where a value was written: "digits.yaml:3:7". Line 0 stands for the file as a whole, which is how
// an override is marked: "command line 'train.epochs=x'".
struct Mark {
  std::shared_ptr<const std::string> file;
  int line = 0;
  int column = 0;
  // The option it holds, "data.train.idx.images", empty for all of them; set once the config is
  // whole.
  std::shared_ptr<const std::string> path = {};
  [[nodiscard]] std::string text() const;
  // Place and option, ": " after each, as far as they are known: the start of a message.
  [[nodiscard]] std::string prefix() const;
  // The same for an error; nothing when neither is known.
  [[nodiscard]] std::optional<std::string> place() const;
  // For an option inside this one that was left out: the same place, a longer path.
  [[nodiscard]] Mark below(const std::string& name) const;
};

class Node {
 public:
  enum class Type { kNull, kScalar, kList, kMap };
  struct Entry;

  Node() = default;
  [[nodiscard]] static Node scalar(std::string text, Mark mark = {}, bool is_quoted = false);
  [[nodiscard]] static Node list();
  [[nodiscard]] static Node list(std::vector<Node> items, Mark mark = {});
  [[nodiscard]] static Node map();
  [[nodiscard]] static Node map(std::vector<Entry> entries, Mark mark = {});

  [[nodiscard]] Type type() const { return type_; }
  [[nodiscard]] bool is_null() const { return type_ == Type::kNull; }
  [[nodiscard]] bool is_scalar() const { return type_ == Type::kScalar; }
  [[nodiscard]] bool is_list() const { return type_ == Type::kList; }
  [[nodiscard]] bool is_map() const { return type_ == Type::kMap; }
  [[nodiscard]] bool is_quoted() const { return is_quoted_; }
  [[nodiscard]] const Mark& mark() const { return mark_; }
  void set_mark(Mark mark) { mark_ = std::move(mark); }

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::vector<Node>& items() const { return items_; }
  [[nodiscard]] std::vector<Node>& items() { return items_; }
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] std::vector<Entry>& entries() { return entries_; }

  [[nodiscard]] const Node* find(std::string_view key) const;
  [[nodiscard]] Node* find(std::string_view key);
  // Replaces the value of `key`, or appends it. A null node becomes a map first. Returns this node.
  Node& set(std::string key, Node value);
  bool erase(std::string_view key);
  [[nodiscard]] std::vector<std::string> keys() const;

  // "a list", "'big'", "nothing": how a message shows what came.
  [[nodiscard]] std::string describe() const;
  // Same content, wherever it was written.
  [[nodiscard]] bool operator==(const Node& other) const;

 private:
  Type type_ = Type::kNull;
  bool is_quoted_ = false;
  std::string text_;
  std::vector<Node> items_;
  std::vector<Entry> entries_;
  Mark mark_;
};

struct Node::Entry {
  std::string key;
  Mark mark;
  Node value;
  [[nodiscard]] bool operator==(const Entry& other) const {
    return key == other.key && value == other.value;
  }
};

}  // namespace hearth
