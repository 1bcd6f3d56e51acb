// Components of one kind by name. The build fills it from the folder; user code may add its own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/choice.h"
#include "hearth/config/place.h"
#include "hearth/config/schema.h"

namespace hearth {

// The kind's folder as docs and messages need it; shared by all registries.
struct ComponentInfo {
  std::string name;
  std::string help;
  SchemaInfo schema;
};

[[noreturn]] void throw_unknown_component(const std::string& kind, const std::string& name,
                                          const std::vector<std::string>& known, const Mark& mark);

// What a registry knows of its components besides how they are made: the same code for every kind.
class ComponentList {
 public:
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] std::vector<ComponentInfo> components() const;
  // The options of a component; ConfigError with the nearest name.
  [[nodiscard]] SchemaInfo schema(const std::string& name, const Mark& mark) const;
  // Members of the options struct, to hold against the field list.
  [[nodiscard]] size_t members(const std::string& name) const;

 protected:
  explicit ComponentList(const char* kind);
  // Where the component stands from now on: in the place of one of the same name, or at the end.
  size_t put(std::string_view name, std::string_view help, SchemaInfo schema, size_t member_count);
  // The same place; ConfigError with the nearest name.
  [[nodiscard]] size_t place_of(const std::string& name, const Mark& mark) const;

 private:
  struct Entry {
    ComponentInfo info;
    size_t member_count = 0;
  };
  [[nodiscard]] size_t find(std::string_view name) const;  // or the end

  const char* kind_;
  std::vector<Entry> entries_;
};

template <class Base>
class Registry : public ComponentList {
 public:
  Registry() : ComponentList(KindOf<Base>::name) {}

  // T has `using Options = ...` and a constructor from Options; or, when it asks its numbers at
  // every step, `using TimedOptions = Timed<Options>` and a constructor from that (see
  // hearth/schedule/timed.h). A second add of a name replaces it.
  template <class T>
  void add(std::string_view name, std::string_view help) {
    using Options = typename T::Options;
    static_assert(std::is_aggregate_v<Options>);
    keep(put(name, help, schema_of<T>(), member_count<Options>()), make_from<T>);
  }
  // A component without options, made by code that the program brings along.
  void add(std::string_view name, std::string_view help,
           std::function<std::unique_ptr<Base>()> make) {
    keep(put(name, help, {}, 0), [make = std::move(make)](const Node&) { return make(); });
  }

  [[nodiscard]] std::unique_ptr<Base> make(const Choice<Base>& choice) const {
    const Maker& maker = makers_[place_of(choice.name(), choice.options().mark())];
    return at_option_of(choice.options(), [&] { return maker(choice.options()); });
  }

 private:
  using Maker = std::function<std::unique_ptr<Base>(const Node&)>;

  template <class T>
  [[nodiscard]] static SchemaInfo schema_of() {
    SchemaInfo schema = T::Options::schema().info();
    if constexpr (requires { typename T::TimedOptions; }) schema.let_numbers_move();
    return schema;
  }
  template <class T>
  static std::unique_ptr<Base> make_from(const Node& options) {
    if constexpr (requires { typename T::TimedOptions; })
      return std::make_unique<T>(T::TimedOptions::read(options));
    else
      return std::make_unique<T>(T::Options::schema().read(options));
  }
  void keep(size_t place, Maker maker) {
    if (place == makers_.size()) makers_.emplace_back();
    makers_[place] = std::move(maker);
  }

  std::vector<Maker> makers_;  // as many as components
};

// The one registry of a kind, filled on first use by the code that the build writes.
template <class Base>
Registry<Base>& registry() {
  return KindOf<Base>::registry();
}

}  // namespace hearth
