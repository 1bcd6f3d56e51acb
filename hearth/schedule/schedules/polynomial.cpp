// From one value to another along a power of the time that is left.
#include "hearth/schedule/schedules/polynomial.h"

#include <algorithm>
#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/schedule/scheduled_list.h"
#include "hearth/schedule/turns.h"

namespace hearth::schedules {
namespace {

class Polynomial : public Schedule {
 public:
  using Options = PolynomialOptions;
  explicit Polynomial(const Options& options) : options_(options) {}

  double value(const Moment& moment) const override {
    const int64_t end = options_.length.steps(moment.length);
    if (moment.step >= end) return options_.last;
    const double left = 1 - static_cast<double>(moment.step) / static_cast<double>(end);
    return options_.last + (options_.first - options_.last) * std::pow(left, options_.power);
  }
  std::pair<double, double> range() const override {
    return std::minmax(options_.first, options_.last);
  }
  std::vector<int64_t> changes(const TrainingLength& length) const override {
    return steps_within({options_.length.steps(length)}, length);
  }
  std::vector<std::string> unreached(const TrainingLength& length) const override {
    if (options_.length.steps(length) <= length.total_steps) return {};
    return {said_beyond("length", options_.length, length, "the last value is never reached")};
  }

 private:
  Options options_;
};

}  // namespace

const Schema<PolynomialOptions>& PolynomialOptions::schema() {
  using O = PolynomialOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::first, "first", "The value at the start.")
          .field(&O::last, "last", "The value from the end on.")
          .field(&O::power, "power", "1 for a line; above 1 it falls fast at first.", above(0))
          .field(&O::length, "length", "When the last value is reached.", above(0));
  return schema;
}

Choice<Schedule> polynomial(PolynomialOptions options) {
  return choose<Schedule>("polynomial", options);
}

void register_polynomial(Registry<Schedule>& registry) {
  registry.add<Polynomial>("polynomial",
                           "From one value to another along a power of the time that is left.");
}

}  // namespace hearth::schedules
