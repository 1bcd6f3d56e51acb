// Says in one line how my_component works.
#include "my_component.h"

#include "hearth/config/registry.h"

namespace hearth::sources {
namespace {

class MyComponent : public Source {
 public:
  using Options = MyComponentOptions;
  explicit MyComponent(Options options) : options_(options) {}

  std::vector<KeySpec> keys() const override { return {{"value", value_}}; }
  int64_t size() const override { return options_.size; }

  // A cell is not wanted when nobody needs its key. Many threads call this at once.
  void read(int64_t index, std::span<const Cell> cells) const override {
    if (cells[0].is_wanted()) cells[0].set(static_cast<float>(index));
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

}  // namespace hearth::sources
