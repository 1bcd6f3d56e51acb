// Says in one line how my_component works.
#include "my_component.h"

#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth::trackers {
namespace {

class MyComponent : public Tracker {
 public:
  using Options = MyComponentOptions;
  explicit MyComponent(Options options) : options_(std::move(options)) {}

  // The log comes from its start, also when a resume cut it: forget what came before.
  void begin(const std::filesystem::path& run) override {
    path_ = run / options_.file;
    newest_.clear();
  }

  void take(const Event& event) override {
    for (const auto& [name, value] : event.values)
      newest_ = event.kind + " " + name + " " + shortest_number(value) + "\n";
  }

  // On a thread of its own: what it takes or throws never costs the training.
  void flush() override { write_file_durably(path_, newest_); }
  void settle() override { flush(); }

 private:
  Options options_;
  std::filesystem::path path_;
  std::string newest_;
};

}  // namespace

const Schema<MyComponentOptions>& MyComponentOptions::schema() {
  using O = MyComponentOptions;
  // YAML, help, docs, checks and defaults all come from this list.
  static const auto schema =
      Schema<O>().field(&O::file, "file", "Its file in the run's folder.", not_empty());
  return schema;
}

Choice<Tracker> my_component(MyComponentOptions options) {
  // C++ writes this where YAML writes the name with its options.
  return choose<Tracker>("my_component", options);
}

void register_my_component(Registry<Tracker>& registry) {
  // The second text is its line in `hearth list`.
  registry.add<MyComponent>("my_component", "Says in one line what it does.");
}

}  // namespace hearth::trackers
