// How the plain C++ types are described, read and written.
#include "hearth/config/schema.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

Type type_of_kind(TypeKind kind) {
  Type type;
  type.kind = kind;
  return type;
}

template <class T>
T value_or_throw(const std::optional<T>& value, const Node& node, TypeKind kind) {
  if (value) return *value;
  throw_at(node, "expected " + type_of_kind(kind).label() + ", but got " + node.describe() + ".");
}

}  // namespace

void throw_at(const Node& node, const std::string& message) {
  throw ConfigError(message, node.mark().place());
}

Type TypeOf<bool>::type() { return type_of_kind(TypeKind::kBoolean); }
bool TypeOf<bool>::read(const Node& node) {
  std::optional<bool> value;
  if (node.text() == "true") value = true;
  if (node.text() == "false") value = false;
  return value_or_throw(value, node, TypeKind::kBoolean);
}
Node TypeOf<bool>::write(const bool& value) { return Node::scalar(value ? "true" : "false"); }

Type TypeOf<int64_t>::type() {
  Type type = type_of_kind(TypeKind::kInteger);
  type.maximum = kLargestInteger;
  return type;
}
int64_t TypeOf<int64_t>::read(const Node& node) {
  return value_or_throw(read_integer(node.text()), node, TypeKind::kInteger);
}
Node TypeOf<int64_t>::write(const int64_t& value) { return Node::scalar(std::to_string(value)); }

Type TypeOf<double>::type() { return type_of_kind(TypeKind::kNumber); }
double TypeOf<double>::read(const Node& node) {
  return value_or_throw(read_number(node.text()), node, TypeKind::kNumber);
}
Node TypeOf<double>::write(const double& value) { return Node::scalar(shortest_number(value)); }

Type TypeOf<std::string>::type() { return type_of_kind(TypeKind::kText); }
std::string TypeOf<std::string>::read(const Node& node) {
  if (!node.is_scalar()) return value_or_throw<std::string>({}, node, TypeKind::kText);
  return node.text();
}
// Marked as quoted, so that a text such as "null" or "1.0" stays a text in every YAML reader.
Node TypeOf<std::string>::write(const std::string& value) { return Node::scalar(value, {}, true); }

Type TypeOf<Time>::type() { return type_of_kind(TypeKind::kTime); }
Time TypeOf<Time>::read(const Node& node) {
  return value_or_throw(Time::from(node.text()), node, TypeKind::kTime);
}
Node TypeOf<Time>::write(const Time& value) { return Node::scalar(value.text()); }

Type TypeOf<ByteSize>::type() { return type_of_kind(TypeKind::kBytes); }
ByteSize TypeOf<ByteSize>::read(const Node& node) {
  return value_or_throw(ByteSize::from(node.text()), node, TypeKind::kBytes);
}
Node TypeOf<ByteSize>::write(const ByteSize& value) { return Node::scalar(value.text()); }

Type TypeOf<Modes>::type() { return type_of_kind(TypeKind::kModes); }
Modes TypeOf<Modes>::read(const Node& node) {
  if (!node.is_list()) return value_or_throw(Modes::from(node.text()), node, TypeKind::kModes);
  Modes modes;
  for (const Node& item : node.items())
    modes.add(value_or_throw(Modes::from(item.text()), item, TypeKind::kModes));
  return modes;
}
Node TypeOf<Modes>::write(const Modes& value) {
  const std::vector<std::string> names = value.names();
  if (names.size() == 1) return Node::scalar(names.front());
  std::vector<Node> items;
  for (const std::string& name : names) items.push_back(Node::scalar(name));
  return Node::list(std::move(items));
}

}  // namespace hearth
