// Half of it after every stretch of some length.
#include "schedules/open_halves.h"

#include <algorithm>
#include <cmath>

#include "hearth/config/registry.h"

namespace hearth::schedules {
namespace {

class OpenHalves : public Schedule {
 public:
  using Options = OpenHalvesOptions;
  explicit OpenHalves(Options options) : options_(options) {}

  // A pure function of time, so that a resumed run sees the same values.
  double value(const Moment& moment) const override {
    const int64_t stretch = std::max<int64_t>(1, options_.every.steps(moment.length));
    return std::ldexp(options_.first, -static_cast<int>(moment.step / stretch));
  }

  // The least and the greatest value, so that an option's limits are checked before training.
  std::pair<double, double> range() const override { return std::minmax(options_.first, 0.0); }

  // Steps at which it starts to behave differently; warm-up visits each of them.
  std::vector<int64_t> changes(const TrainingLength& length) const override {
    const int64_t stretch = std::max<int64_t>(1, options_.every.steps(length));
    std::vector<int64_t> steps = {0};
    for (int64_t step = stretch; step < length.total_steps; step += stretch) steps.push_back(step);
    return steps;
  }

 private:
  Options options_;
};

}  // namespace

const Schema<OpenHalvesOptions>& OpenHalvesOptions::schema() {
  using O = OpenHalvesOptions;
  static const auto schema = Schema<O>()
                                 .field(&O::first, "first", "The value at the start.")
                                 .field(&O::every, "every", "How long a value stays.");
  return schema;
}

Choice<Schedule> open_halves(OpenHalvesOptions options) {
  return choose<Schedule>("open_halves", options);
}

void register_open_halves(Registry<Schedule>& registry) {
  registry.add<OpenHalves>("open_halves", "Halves after every stretch.");
}

}  // namespace hearth::schedules
