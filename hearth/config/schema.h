// One field list for an options struct. Reading, writing, checks, help and docs all come from it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "hearth/config/byte_size.h"
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

template <class Options>
class Schema {
 public:
  template <class T, class... Rules>
  Schema& field(T Options::*member, std::string name, std::string help, const Rules&... rules) {
    Field field{std::move(name), std::move(help), TypeOf<T>::type(), {}, false};
    field.default_value = TypeOf<T>::write(Options{}.*member);
    (rules.apply(field), ...);
    info_.fields.push_back(std::move(field));
    access_.push_back(
        {[member](Options& options, const Node& node) { options.*member = TypeOf<T>::read(node); },
         [member](const Options& options) { return TypeOf<T>::write(options.*member); },
         [member](Options& options, size_t element, double value) {
           detail::assign_number(options.*member, element, value);
         }});
    return *this;
  }

  // Values by time, `{0ep: 16, 10ep: 32}`, which stand in the place of all other fields.
  template <class T>
  Schema& by_time(std::vector<std::pair<Time, T>> Options::*member, std::string help) {
    Field field{"<time>", std::move(help), TypeOf<T>::type(), {}, false, true};
    info_.fields.push_back(std::move(field));
    access_.push_back({[member](Options& options, const Node& node) {
                         (options.*member).clear();
                         for (const Node::Entry& entry : node.entries())
                           if (const std::optional<Time> time = Time::from(entry.key))
                             (options.*member).emplace_back(*time, TypeOf<T>::read(entry.value));
                       },
                       [member](const Options& options) {
                         Node node = Node::map();
                         for (const auto& [time, value] : options.*member)
                           node.set(time.text(), TypeOf<T>::write(value));
                         return node;
                       },
                       [](Options&, size_t, double) {}});
    return *this;
  }

  // A rule over several fields; `message` is what the user reads when it fails.
  Schema& check(std::string message, std::function<bool(const Options&)> holds) {
    checks_.emplace_back(std::move(message), std::move(holds));
    return *this;
  }

  [[nodiscard]] const SchemaInfo& info() const { return info_; }

  // Gives a number field, or an element of a field that lists numbers, another value.
  void set_number(Options& options, size_t field, size_t element, double value) const {
    access_[field].set_number(options, element, value);
  }

  // The node must have passed `validate`; what it leaves out keeps its default.
  [[nodiscard]] Options read(const Node& node) const {
    Options options;
    for (size_t i = 0; i < info_.fields.size(); ++i) {
      if (info_.fields[i].is_by_time) access_[i].read(options, node);
      if (const Node* value = node.find(info_.fields[i].name)) access_[i].read(options, *value);
    }
    for (const auto& [message, holds] : checks_)
      if (!holds(options)) throw_at(node, message);
    return options;
  }

  [[nodiscard]] Node write(const Options& options) const {
    Node node = Node::map();
    for (size_t i = 0; i < info_.fields.size(); ++i) {
      Node value = access_[i].write(options);
      if (!info_.fields[i].is_by_time)
        node.set(info_.fields[i].name, std::move(value));
      else if (!value.entries().empty())
        return value;
    }
    return node;
  }

 private:
  struct Access {
    std::function<void(Options&, const Node&)> read;
    std::function<Node(const Options&)> write;
    std::function<void(Options&, size_t, double)> set_number;
  };
  SchemaInfo info_;
  std::vector<Access> access_;
  std::vector<std::pair<std::string, std::function<bool(const Options&)>>> checks_;
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
