// Schedules and numbers, added at every moment.
#include "hearth/schedule/schedules/sum.h"

#include "hearth/config/registry.h"
#include "hearth/schedule/combined.h"

namespace hearth::schedules {
namespace {

struct Adding {
  using Range = std::pair<double, double>;
  static double of(double left, double right) { return left + right; }
  static Range of(const Range& left, const Range& right) {
    return {left.first + right.first, left.second + right.second};
  }
};

}  // namespace

const Schema<SumOptions>& SumOptions::schema() {
  using O = SumOptions;
  static const auto schema = Schema<O>().field(
      &O::of, "of", "What is added: numbers and schedules.", required(), not_empty());
  return schema;
}

Choice<Schedule> sum(SumOptions options) { return choose<Schedule>("sum", options); }

void register_sum(Registry<Schedule>& registry) {
  registry.add<Combined<SumOptions, Adding>>("sum", "Schedules and numbers, added.");
}

}  // namespace hearth::schedules
