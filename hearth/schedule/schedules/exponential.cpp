// Falls by the same factor in equal times, a little at every step.
#include "hearth/schedule/schedules/exponential.h"

#include <algorithm>
#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/schedule/fading.h"

namespace hearth::schedules {
namespace {

class Exponential : public Schedule {
 public:
  using Options = ExponentialOptions;
  explicit Exponential(const Options& options) : options_(options) {}

  double value(const Moment& moment) const override {
    const int64_t turn = std::max<int64_t>(options_.every.steps(moment.length), 1);
    const double turns = static_cast<double>(moment.step) / static_cast<double>(turn);
    return options_.first * std::pow(options_.factor, turns);
  }
  // Powers of a factor below 1 come as near to 0 as one likes, of one above 1 as far away.
  std::pair<double, double> range() const override {
    return fading_range(options_.first, options_.factor);
  }

  std::vector<int64_t> changes(const TrainingLength&) const override { return {0}; }

 private:
  Options options_;
};

}  // namespace

const Schema<ExponentialOptions>& ExponentialOptions::schema() {
  using O = ExponentialOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::first, "first", "The value at the start.")
          .field(&O::factor, "factor", "What it is multiplied by in each turn.", above(0))
          .field(&O::every, "every", "How long a turn is, such as 1ep or 1st.", above(0));
  return schema;
}

Choice<Schedule> exponential(ExponentialOptions options) {
  return choose<Schedule>("exponential", options);
}

void register_exponential(Registry<Schedule>& registry) {
  registry.add<Exponential>("exponential",
                            "Falls by the same factor in equal times, a little at every step.");
}

}  // namespace hearth::schedules
