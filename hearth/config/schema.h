// One field list for an options struct. Reading, writing, checks, help and docs all come from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "hearth/config/byte_size.h"
#include "hearth/config/field_list.h"
#include "hearth/config/mode.h"
#include "hearth/config/node.h"
#include "hearth/config/time.h"
#include "hearth/config/type.h"

namespace hearth {

// How a C++ type is described, read from a validated node, and written back.
template <class T>
struct TypeOf {
  // An options struct inside an options struct.
  static Type type() {
    Type type;
    type.kind = TypeKind::kOptions;
    type.options = std::make_shared<const SchemaInfo>(T::schema().info());
    return type;
  }
  static T read(const Node& node) { return T::schema().read(node); }
  static Node write(const T& value) { return T::schema().write(value); }
};

#define HEARTH_DECLARE_TYPE(T)         \
  template <>                          \
  struct TypeOf<T> {                   \
    static Type type();                \
    static T read(const Node& node);   \
    static Node write(const T& value); \
  }
HEARTH_DECLARE_TYPE(bool);
HEARTH_DECLARE_TYPE(int64_t);
HEARTH_DECLARE_TYPE(double);
HEARTH_DECLARE_TYPE(std::string);
HEARTH_DECLARE_TYPE(Time);
HEARTH_DECLARE_TYPE(ByteSize);
HEARTH_DECLARE_TYPE(Modes);
#undef HEARTH_DECLARE_TYPE

template <class T>
struct TypeOf<std::vector<T>> {
  static Type type() {
    Type type;
    type.kind = TypeKind::kList;
    type.element = std::make_shared<const Type>(TypeOf<T>::type());
    return type;
  }
  // A single value stands for a list of one.
  static std::vector<T> read(const Node& node) {
    std::vector<T> values;
    if (node.is_null()) return values;
    if (!node.is_list()) return {TypeOf<T>::read(node)};
    for (const Node& item : node.items()) values.push_back(TypeOf<T>::read(item));
    return values;
  }
  static Node write(const std::vector<T>& values) {
    std::vector<Node> items;
    for (const T& value : values) items.push_back(TypeOf<T>::write(value));
    return Node::list(std::move(items));
  }
};

template <class T>
struct TypeOf<std::map<std::string, T>> {
  static Type type() {
    Type type;
    type.kind = TypeKind::kMap;
    type.element = std::make_shared<const Type>(TypeOf<T>::type());
    return type;
  }
  static std::map<std::string, T> read(const Node& node) {
    std::map<std::string, T> values;
    for (const auto& entry : node.entries())
      values.emplace(entry.key, TypeOf<T>::read(entry.value));
    return values;
  }
  static Node write(const std::map<std::string, T>& values) {
    Node node = Node::map();
    for (const auto& [name, value] : values) node.set(name, TypeOf<T>::write(value));
    return node;
  }
};

template <class T>
struct TypeOf<std::optional<T>> {
  static Type type() {
    Type type = TypeOf<T>::type();
    type.is_optional = true;
    return type;
  }
  static std::optional<T> read(const Node& node) {
    if (node.is_null()) return std::nullopt;
    return TypeOf<T>::read(node);
  }
  static Node write(const std::optional<T>& value) {
    return value ? TypeOf<T>::write(*value) : Node();
  }
};

namespace detail {
// Fields of other types hold no numbers that could move: nothing happens to them.
template <class T>
void assign_number(T& member, size_t element, double value) {
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::optional<double>>)
    member = value;
  else if constexpr (std::is_same_v<T, std::vector<double>>)
    member.at(element) = value;
}
}  // namespace detail

// Throws ConfigError at the node's mark: used by cross-field checks.
[[noreturn]] void throw_at(const Node& node, const std::string& message);

// The same of every type, behind pointers: one table for all options structs with such a member.
namespace detail {
template <class T>
inline constexpr MemberType kMember = {
    [] { return TypeOf<T>::type(); },
    [](void* member, const Node& node) { *static_cast<T*>(member) = TypeOf<T>::read(node); },
    [](const void* member) { return TypeOf<T>::write(*static_cast<const T*>(member)); },
    [](void* member, size_t element, double value) {
      assign_number(*static_cast<T*>(member), element, value);
    }};

// Values by time, `{0ep: 16, 10ep: 32}`, which stand in the place of all other fields.
template <class T>
inline constexpr MemberType kMemberByTime = {
    [] { return TypeOf<T>::type(); },
    [](void* member, const Node& node) {
      auto& values = *static_cast<std::vector<std::pair<Time, T>>*>(member);
      values.clear();
      for (const Node::Entry& entry : node.entries())
        if (const std::optional<Time> time = Time::from(entry.key))
          values.emplace_back(*time, TypeOf<T>::read(entry.value));
    },
    [](const void* member) {
      Node node = Node::map();
      for (const auto& [time, value] : *static_cast<const std::vector<std::pair<Time, T>>*>(member))
        node.set(time.text(), TypeOf<T>::write(value));
      return node;
    },
    [](void*, size_t, double) {}};
}  // namespace detail

// What is said of members is kept in the list below it: hundreds of structs are compiled, and each
// pays only for what its type needs.
template <class Options>
class Schema : public FieldList {
 public:
  template <class T, class... Rules>
  Schema& field(T Options::*member, std::string_view name, std::string_view help,
                const Rules&... rules) {
    Field& field = add(detail::kMember<T>, &defaults(), offset_of(member), name, help);
    (rules.apply(field), ...);
    return *this;
  }

  template <class T>
  Schema& by_time(std::vector<std::pair<Time, T>> Options::*member, std::string_view help) {
    add_by_time(detail::kMemberByTime<T>, offset_of(member), help);
    return *this;
  }

  // A rule over several fields; `message` is what the user reads when it fails.
  Schema& check(std::string_view message, bool (*holds)(const Options&)) {
    checks_.push_back({std::string(message), holds});
    return *this;
  }

  // Gives a number field, or an element of a field that lists numbers, another value.
  void set_number(Options& options, size_t field, size_t element, double value) const {
    set_field_number(&options, field, element, value);
  }

  // The node must have passed `validate`; what it leaves out keeps its default.
  [[nodiscard]] Options read(const Node& node) const {
    Options options;
    read_fields(&options, node);
    for (const Check& check : checks_)
      if (!check.holds(options)) throw_at(node, check.message);
    return options;
  }

  [[nodiscard]] Node write(const Options& options) const { return write_fields(&options); }

 private:
  struct Check {
    std::string message;
    bool (*holds)(const Options&);
  };

  static const Options& defaults() {
    static const Options left_out{};
    return left_out;
  }
  template <class T>
  static size_t offset_of(T Options::*member) {
    const Options& options = defaults();
    return static_cast<size_t>(reinterpret_cast<const std::byte*>(&(options.*member)) -
                               reinterpret_cast<const std::byte*>(&options));
  }

  std::vector<Check> checks_;
};

// How many members an aggregate has: the conformance test holds it against the field list.
namespace detail {
struct AnyValue {
  template <class T>
  operator T() const;  // NOLINT: implicit on purpose, never defined
};
template <class T, class... Values>
consteval size_t count_members() {
  if constexpr (requires { T{Values{}..., AnyValue{}}; })
    return count_members<T, Values..., AnyValue>();
  return sizeof...(Values);
}
}  // namespace detail
template <class T>
consteval size_t member_count() {
  return detail::count_members<T>();
}

}  // namespace hearth
