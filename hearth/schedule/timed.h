// Options whose numbers may move with time, for components that ask them at every step.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "hearth/config/schema.h"
#include "hearth/schedule/schedule.h"

namespace hearth {

// Where options hold a schedule in the place of a number.
struct MovingNumber {
  size_t field = 0;
  size_t element = 0;  // of a list of numbers
  ScheduledValue value;
};

// Schedules in number options become the numbers they start with, in `options`, and are listed.
[[nodiscard]] std::vector<MovingNumber> take_moving_numbers(Node& options,
                                                            const SchemaInfo& schema);

// A component declares `using TimedOptions = Timed<Options>`, is made from one, and asks
// `options_.at(moment)` wherever it needs a number; structs of options stay plain. Options without
// schedules cost an empty loop. Each is asked by one thread.
template <class Options>
class Timed {
 public:
  Timed(Options options) : options_(std::move(options)) {}  // NOLINT: implicit, nothing moves
  // From a validated node.
  [[nodiscard]] static Timed read(const Node& node) {
    Node plain = node;
    std::vector<MovingNumber> moving = take_moving_numbers(plain, Options::schema().info());
    Timed timed(Options::schema().read(plain));
    timed.moving_ = std::move(moving);
    return timed;
  }

  // The options at that moment; the reference holds, the numbers in it until the next call.
  [[nodiscard]] const Options& at(const Moment& moment) const {
    for (const MovingNumber& number : moving_)
      Options::schema().set_number(options_, number.field, number.element, number.value.at(moment));
    return options_;
  }
  // For options that cannot move: names, keys, whole numbers, switches.
  [[nodiscard]] const Options& fixed() const { return options_; }
  [[nodiscard]] bool is_constant() const { return moving_.empty(); }
  // Steps at which some number starts to behave differently.
  [[nodiscard]] std::vector<int64_t> changes(const TrainingLength& length) const {
    std::vector<int64_t> steps;
    for (const MovingNumber& number : moving_)
      for (const int64_t step : number.value.changes(length)) steps.push_back(step);
    return steps;
  }

 private:
  mutable Options options_;  // with the numbers of the moment asked for last
  std::vector<MovingNumber> moving_;
};

}  // namespace hearth
