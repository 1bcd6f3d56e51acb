// Says in one line how my_component works.
#include "my_component.h"

#include <cstring>

#include "hearth/config/registry.h"

namespace hearth {
namespace {

class MyComponent : public Source {
 public:
  using Options = MyComponentOptions;
  explicit MyComponent(Options options) : options_(options) {}

  std::vector<KeySpec> keys() const override { return {{"value", value_}}; }
  int64_t size() const override { return options_.size; }

  // A null destination means that nobody needs the key. Many threads call this at once.
  void read(int64_t index, std::span<std::byte* const> destinations) const override {
    const auto value = static_cast<float>(index);
    if (destinations[0] != nullptr) std::memcpy(destinations[0], &value, sizeof(value));
  }

  std::string fingerprint() const override {
    // Must change when the data changes.
    return "my_component:" + std::to_string(options_.size);
  }
  std::string describe(int64_t index) const override {
    // How an error message names this sample.
    return "my_component[" + std::to_string(index) + "]";
  }

 private:
  Options options_;
  Spec value_;
};

}  // namespace

const Schema<MyComponentOptions>& MyComponentOptions::schema() {
  using O = MyComponentOptions;
  // YAML, help, docs, checks and defaults all come from this list.
  static const auto schema =
      Schema<O>().field(&O::size, "size", "How many samples there are.", at_least(1));
  return schema;
}

Choice<Source> my_component(MyComponentOptions options) {
  // C++ writes this where YAML writes the name with its options.
  return choose<Source>("my_component", options);
}

void register_my_component(Registry<Source>& registry) {
  // The second text is its line in `hearth list`.
  registry.add<MyComponent>("my_component", "Says in one line what it does.");
}

}  // namespace hearth
