// Linear warm-up to the peak, then down as one over the root of the number of the step.
#include "hearth/schedule/schedules/inverse_square_root.h"

#include <algorithm>
#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/schedule/scheduled_list.h"
#include "hearth/schedule/turns.h"

namespace hearth::schedules {
namespace {

class InverseSquareRoot : public Schedule {
 public:
  using Options = InverseSquareRootOptions;
  explicit InverseSquareRoot(const Options& options) : options_(options) {}

  // The first step already moves, and the last step of the warm-up is at the peak.
  double value(const Moment& moment) const override {
    const auto warmup = static_cast<double>(warmup_steps(moment.length));
    const auto count = static_cast<double>(moment.step + 1);
    return options_.peak * std::min(count / warmup, std::sqrt(warmup / count));
  }
  std::pair<double, double> range() const override { return std::minmax(0.0, options_.peak); }
  std::vector<int64_t> changes(const TrainingLength& length) const override {
    return steps_within({warmup_steps(length)}, length);
  }
  std::vector<std::string> unreached(const TrainingLength& length) const override {
    if (warmup_steps(length) <= length.total_steps) return {};
    return {said_beyond("warmup", options_.warmup, length, "the peak is never reached")};
  }

 private:
  [[nodiscard]] int64_t warmup_steps(const TrainingLength& length) const {
    return std::max<int64_t>(options_.warmup.steps(length), 1);
  }

  Options options_;
};

}  // namespace

const Schema<InverseSquareRootOptions>& InverseSquareRootOptions::schema() {
  using O = InverseSquareRootOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::peak, "peak", "The highest value, reached at the end of the warm-up.")
          .field(&O::warmup, "warmup", "How long the value rises from 0 to the peak, in a line.");
  return schema;
}

Choice<Schedule> inverse_square_root(InverseSquareRootOptions options) {
  return choose<Schedule>("inverse_square_root", options);
}

void register_inverse_square_root(Registry<Schedule>& registry) {
  registry.add<InverseSquareRoot>("inverse_square_root",
                                  "Rises in a line, then falls as one over the root of the step.");
}

}  // namespace hearth::schedules
