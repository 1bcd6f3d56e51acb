// Up and down between two values in lines, again and again, by heights that may shrink.
#include "hearth/schedule/schedules/cyclic.h"

#include <algorithm>
#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/schedule/scheduled_list.h"
#include "hearth/schedule/turns.h"

namespace hearth::schedules {
namespace {

class Cyclic : public Schedule {
 public:
  using Options = CyclicOptions;
  explicit Cyclic(const Options& options) : options_(options) {}

  double value(const Moment& moment) const override {
    const auto up = static_cast<double>(up_steps(moment.length));
    const auto all = static_cast<double>(all_steps(moment.length));
    const auto step = static_cast<double>(moment.step);
    const double cycle = std::floor(step / all);
    const double inside = step - cycle * all;
    const double height = inside <= up ? inside / up : (all - inside) / (all - up);
    return options_.low + (options_.high - options_.low) * height * share(cycle, step);
  }
  std::pair<double, double> range() const override {
    return std::minmax(options_.low, options_.high);
  }
  std::vector<int64_t> changes(const TrainingLength& length) const override {
    return steps_within({up_steps(length), all_steps(length)}, length);
  }
  std::vector<std::string> unreached(const TrainingLength& length) const override {
    if (up_steps(length) < length.total_steps) return {};
    return {said_beyond("up", options_.up, length, "the high value is never reached")};
  }

 private:
  [[nodiscard]] int64_t up_steps(const TrainingLength& length) const {
    return std::max<int64_t>(options_.up.steps(length), 1);
  }
  [[nodiscard]] int64_t all_steps(const TrainingLength& length) const {
    const Time down = options_.down.value_or(options_.up);
    return up_steps(length) + std::max<int64_t>(down.steps(length), 1);
  }
  // Of the height, that is left by now.
  [[nodiscard]] double share(double cycle, double step) const {
    if (options_.shape == "triangular2") return std::pow(0.5, cycle);
    return options_.shape == "exp_range" ? std::pow(options_.factor, step) : 1;
  }

  Options options_;
};

}  // namespace

const Schema<CyclicOptions>& CyclicOptions::schema() {
  using O = CyclicOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::low, "low", "The lower value, at which it starts.")
          .field(&O::high, "high", "The higher value.")
          .field(&O::up, "up", "How long the value rises.", above(0))
          .field(&O::down, "down", "How long it falls; left out: as long as it rises.", above(0))
          .field(
              &O::shape, "shape",
              "triangular: always as high; triangular2: half as high each time; exp_range: lower "
              "at every step by `factor`.",
              one_of({"triangular", "triangular2", "exp_range"}))
          .field(&O::factor, "factor", "For exp_range.", above(0), at_most(1))
          .check("factor is for the shape exp_range.", [](const O& options) {
            return options.factor == 1 || options.shape == "exp_range";
          });
  return schema;
}

Choice<Schedule> cyclic(CyclicOptions options) { return choose<Schedule>("cyclic", options); }

void register_cyclic(Registry<Schedule>& registry) {
  registry.add<Cyclic>("cyclic", "Up and down between two values, again and again.");
}

}  // namespace hearth::schedules
