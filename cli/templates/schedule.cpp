// Says in one line how my_component works.
#include "my_component.h"

#include <algorithm>

#include "hearth/config/registry.h"

namespace hearth::schedules {
namespace {

class MyComponent : public Schedule {
 public:
  using Options = MyComponentOptions;
  explicit MyComponent(Options options) : options_(options) {}

  // A pure function of time, so that a resumed run sees the same values.
  double value(const Moment& moment) const override {
    const auto length = static_cast<double>(std::max<int64_t>(1, moment.length.total_steps));
    const double done = std::min(1.0, static_cast<double>(moment.step) / length);
    return options_.first + (options_.last - options_.first) * done;
  }

  // The least and the greatest value, so that an option's limits are checked before training.
  std::pair<double, double> range() const override {
    return std::minmax(options_.first, options_.last);
  }

  // Steps at which it starts to behave differently; warm-up visits each of them.
  std::vector<int64_t> changes(const TrainingLength&) const override { return {0}; }

 private:
  Options options_;
};

}  // namespace

const Schema<MyComponentOptions>& MyComponentOptions::schema() {
  using O = MyComponentOptions;
  // YAML, help, docs, checks and defaults all come from this list.
  static const auto schema = Schema<O>()
                                 .field(&O::first, "first", "The value at the start.")
                                 .field(&O::last, "last", "The value at the end.");
  return schema;
}

Choice<Schedule> my_component(MyComponentOptions options) {
  // C++ writes this where YAML writes the name with its options.
  return choose<Schedule>("my_component", options);
}

void register_my_component(Registry<Schedule>& registry) {
  // The second text is its line in `hearth list`.
  registry.add<MyComponent>("my_component", "Says in one line what it does.");
}

}  // namespace hearth::schedules
