// Says in one line how my_component works.
#include "my_component.h"

#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

class MyComponent : public Trace {
 public:
  using Options = MyComponentOptions;
  explicit MyComponent(Options options) : options_(std::move(options)) {}

  std::vector<std::string> monitors() const override { return {options_.monitor}; }

  // Told of the end of each epoch, after evaluation, unless `interests` names other occasions.
  void hear(const Happening&, RunControl& run) override {
    const double value = run.metrics().at(options_.monitor);
    const bool is_rising = run.is_better_when_higher(options_.monitor);
    if (is_rising ? value < options_.goal : value > options_.goal) return;
    run.request_stop(options_.monitor + " has reached " + shortest_number(options_.goal) + ".");
  }

 private:
  Options options_;
};

}  // namespace

const Schema<MyComponentOptions>& MyComponentOptions::schema() {
  using O = MyComponentOptions;
  // YAML, help, docs, checks and defaults all come from this list.
  static const auto schema =
      Schema<O>()
          .field(&O::monitor, "monitor", "Metric to watch, with its mode.", not_empty())
          .field(&O::goal, "goal", "The value at which training stops.");
  return schema;
}

Choice<Trace> my_component(MyComponentOptions options) {
  // C++ writes this where YAML writes the name with its options.
  return choose<Trace>("my_component", options);
}

void register_my_component(Registry<Trace>& registry) {
  // The second text is its line in `hearth list`.
  registry.add<MyComponent>("my_component", "Says in one line what it does.");
}

}  // namespace hearth::traces
