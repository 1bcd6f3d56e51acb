// Half a cosine from the peak to the floor, and again from the peak, in turns that may grow.
#include "hearth/schedule/schedules/cosine_restarts.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hearth/config/registry.h"
#include "hearth/schedule/scheduled_list.h"
#include "hearth/schedule/turns.h"

namespace hearth::schedules {
namespace {

class CosineRestarts : public Schedule {
 public:
  using Options = CosineRestartsOptions;
  explicit CosineRestarts(const Options& options) : options_(options) {}

  double value(const Moment& moment) const override {
    const int64_t turn = turn_of(moment.step, moment.length);
    const int64_t begin = start_of(turn, moment.length);
    const int64_t size = std::max<int64_t>(start_of(turn + 1, moment.length) - begin, 1);
    const double done = static_cast<double>(moment.step - begin) / static_cast<double>(size);
    return options_.floor +
           (options_.peak - options_.floor) * (1 + std::cos(std::numbers::pi * done)) / 2;
  }
  std::pair<double, double> range() const override {
    return std::minmax(options_.peak, options_.floor);
  }
  std::vector<int64_t> changes(const TrainingLength& length) const override {
    return steps_within({start_of(1, length)}, length);
  }
  std::vector<std::string> unreached(const TrainingLength& length) const override {
    if (start_of(1, length) < length.total_steps) return {};
    return {said_beyond("first_length", options_.first_length, length, "it never restarts")};
  }

 private:
  // 1 + growth + growth^2 + ..., in lengths of the first turn.
  [[nodiscard]] int64_t start_of(int64_t turn, const TrainingLength& length) const {
    const auto count = static_cast<double>(turn);
    const double growth = options_.growth;
    const double lengths = growth == 1 ? count : (std::pow(growth, count) - 1) / (growth - 1);
    constexpr double kMost = 1e15;  // beyond any training, and still a whole number of steps
    return Time{std::min(options_.first_length.value * lengths, kMost), options_.first_length.unit}
        .steps(length);
  }
  [[nodiscard]] int64_t turn_of(int64_t step, const TrainingLength& length) const {
    int64_t after = 1;
    constexpr int64_t kMostTurns = int64_t{1} << 40;
    while (after < kMostTurns && start_of(after, length) <= step) after *= 2;
    int64_t turn = after / 2;
    while (after - turn > 1) {
      const int64_t middle = turn + (after - turn) / 2;
      (start_of(middle, length) <= step ? turn : after) = middle;
    }
    return turn;
  }

  Options options_;
};

}  // namespace

const Schema<CosineRestartsOptions>& CosineRestartsOptions::schema() {
  using O = CosineRestartsOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::peak, "peak", "The value at the start of each turn.")
          .field(&O::floor, "floor", "The value that each turn falls to.")
          .field(&O::first_length, "first_length", "How long the first turn is.", above(0))
          .field(&O::growth, "growth", "Each turn is so many times as long as the one before.",
                 at_least(1));
  return schema;
}

Choice<Schedule> cosine_restarts(CosineRestartsOptions options) {
  return choose<Schedule>("cosine_restarts", options);
}

void register_cosine_restarts(Registry<Schedule>& registry) {
  registry.add<CosineRestarts>("cosine_restarts",
                               "Falls along half a cosine, and starts again from the peak.");
}

}  // namespace hearth::schedules
