// The schedule that does not change.
#include "hearth/schedule/schedules/constant.h"

#include "hearth/config/registry.h"

namespace hearth::schedules {

namespace {

class Constant : public Schedule {
 public:
  using Options = ConstantOptions;
  explicit Constant(const Options& options) : options_(options) {}
  double value(const Moment&) const override { return options_.value; }
  std::pair<double, double> range() const override { return {options_.value, options_.value}; }
  std::vector<int64_t> changes(const TrainingLength&) const override { return {0}; }

 private:
  Options options_;
};

}  // namespace

const Schema<ConstantOptions>& ConstantOptions::schema() {
  using O = ConstantOptions;
  static const auto schema =
      Schema<O>().field(&O::value, "value", "The value at every step.", required());
  return schema;
}

Choice<Schedule> constant(ConstantOptions options) { return choose<Schedule>("constant", options); }

void register_constant(Registry<Schedule>& registry) {
  registry.add<Constant>("constant", "The same value at every step.");
}

}  // namespace hearth::schedules
