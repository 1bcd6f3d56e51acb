// Components of one kind by name. The build fills it from the folder; user code may add its own.
#pragma once

#include <functional>
#include <memory>
#include <string>
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

template <class Base>
class Registry {
 public:
  // T has `using Options = ...` and a constructor from Options; or, when it asks its numbers at
  // every step, `using TimedOptions = Timed<Options>` and a constructor from that (see
  // hearth/schedule/timed.h). A second add of a name replaces it.
  template <class T>
  void add(std::string name, std::string help) {
    using Options = typename T::Options;
    static_assert(std::is_aggregate_v<Options>);
    Entry entry{{std::move(name), std::move(help), schema_of<T>()},
                [](const Node& options) -> std::unique_ptr<Base> {
                  if constexpr (requires { typename T::TimedOptions; })
                    return std::make_unique<T>(T::TimedOptions::read(options));
                  else
                    return std::make_unique<T>(Options::schema().read(options));
                },
                member_count<Options>()};
    put(std::move(entry));
  }
  // A component without options, made by code that the program brings along.
  void add(std::string name, std::string help, std::function<std::unique_ptr<Base>()> make) {
    put({{std::move(name), std::move(help), {}},
         [make = std::move(make)](const Node&) { return make(); }});
  }

  [[nodiscard]] std::unique_ptr<Base> make(const Choice<Base>& choice) const {
    for (const Entry& entry : entries_)
      if (entry.info.name == choice.name())
        return at_option_of(choice.options(), [&] { return entry.make(choice.options()); });
    throw_unknown_component(KindOf<Base>::name, choice.name(), names(), choice.options().mark());
  }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Entry& entry : entries_) names.push_back(entry.info.name);
    return names;
  }
  [[nodiscard]] std::vector<ComponentInfo> components() const {
    std::vector<ComponentInfo> infos;
    for (const Entry& entry : entries_) infos.push_back(entry.info);
    return infos;
  }
  // The options of a component; ConfigError with the nearest name.
  [[nodiscard]] SchemaInfo schema(const std::string& name, const Mark& mark) const {
    for (const Entry& entry : entries_)
      if (entry.info.name == name) return entry.info.schema;
    throw_unknown_component(KindOf<Base>::name, name, names(), mark);
  }
  // Members of the options struct, to hold against the field list.
  [[nodiscard]] size_t members(const std::string& name) const {
    for (const Entry& entry : entries_)
      if (entry.info.name == name) return entry.member_count;
    return 0;
  }

 private:
  template <class T>
  [[nodiscard]] static SchemaInfo schema_of() {
    SchemaInfo schema = T::Options::schema().info();
    if constexpr (requires { typename T::TimedOptions; }) schema.let_numbers_move();
    return schema;
  }

  struct Entry {
    ComponentInfo info;
    std::function<std::unique_ptr<Base>(const Node&)> make;
    size_t member_count = 0;
  };
  void put(Entry entry) {
    for (Entry& known : entries_)
      if (known.info.name == entry.info.name) {
        known = std::move(entry);
        return;
      }
    entries_.push_back(std::move(entry));
  }
  std::vector<Entry> entries_;
};

// The one registry of a kind, filled on first use by the code that the build writes.
template <class Base>
Registry<Base>& registry() {
  return KindOf<Base>::registry();
}

}  // namespace hearth
