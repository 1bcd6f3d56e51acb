// Windows and schedules held against the length of the run.
#include "hearth/experiment/time_fit.h"

#include <cmath>
#include <optional>

#include "hearth/base/error.h"
#include "hearth/config/place.h"
#include "hearth/experiment/graph_component.h"
#include "hearth/schedule/scheduled_list.h"

namespace hearth {
namespace {

std::string said_step(const Time& time, int64_t step) {
  return time.text() + " (step " + std::to_string(step) + ")";
}

// Where a schedule's value is looked at: each change, the step before it, and the run's ends.
std::vector<int64_t> looked_at_steps(const Schedule& schedule, const TrainingLength& length) {
  std::vector<int64_t> steps = {length.total_steps - 1};
  for (const int64_t step : schedule.changes(length)) steps.insert(steps.end(), {step - 1, step});
  std::erase_if(steps, [](int64_t step) { return step < 0; });
  return steps_within(std::move(steps), length);
}

double value_at(const Schedule& schedule, int64_t step, const TrainingLength& length) {
  return schedule.value({step, length.epoch_of(step), length});
}

// The first step whose value is not finite, as far as what lies between changes is of one kind.
std::optional<int64_t> first_not_finite(const Schedule& schedule, const TrainingLength& length) {
  if (length.total_steps < 1) return std::nullopt;
  int64_t good = -1;
  for (const int64_t step : looked_at_steps(schedule, length)) {
    if (std::isfinite(value_at(schedule, step, length))) {
      good = step;
      continue;
    }
    int64_t bad = step;
    while (bad - good > 1) {
      const int64_t middle = good + (bad - good) / 2;
      (std::isfinite(value_at(schedule, middle, length)) ? good : bad) = middle;
    }
    return bad;
  }
  return std::nullopt;
}

class TimeFitter {
 public:
  explicit TimeFitter(const TrainingLength& length) : length_(length) {}

  template <class Base>
  void component(const Choice<Base>& choice, const std::string& path) {
    const std::string own = path + "." + choice.name();
    window(choice.options(), own);
    for (const Node::Entry& entry : choice.options().entries()) {
      const std::string below = own + "." + entry.key;
      if (is_schedule(entry.value)) schedule(entry.value, below);
      for (size_t i = 0; i < entry.value.items().size(); ++i)
        if (const Node& item = entry.value.items()[i]; is_schedule(item))
          schedule(item, below + "[" + std::to_string(i) + "]");
    }
  }

  void number(const Scheduled& number, const std::string& path) {
    if (!number.is_constant()) schedule(number.schedule().node(), path);
  }

  // `given` is data.windows as the config has it, with places.
  void sets(const std::map<std::string, SetWindow>& windows, const Node* given) {
    for (const auto& [name, open] : windows) {
      const Node* node = given != nullptr ? given->find(name) : nullptr;
      window(node != nullptr ? *node : SetWindow::schema().write(open), "data.windows." + name);
    }
  }

  template <class Base>
  void components(const std::vector<Choice<Base>>& choices, const std::string& path) {
    for (size_t i = 0; i < choices.size(); ++i)
      component(choices[i], path + "[" + std::to_string(i) + "]");
  }

  // A group of parameters switches at the very step.
  void group(const ParameterGroup& group, const std::string& path) {
    number(group.lr_factor, path + ".lr_factor");
    if (group.weight_decay) number(*group.weight_decay, path + ".weight_decay");
    const auto step = [&](const Time& time) {
      return at_place(group.mark, [&] { return time.steps(length_); });
    };
    const int64_t from = group.from ? step(*group.from) : 0;
    if (group.until && step(*group.until) <= from)
      found_.faults.push_back({group.mark, path + ".until",
                               said_step(*group.until, step(*group.until)) +
                                   " is when it ends, not after " +
                                   said_step(group.from.value_or(Time{}), from) +
                                   ", when it comes into force, so it never does."});
    else if (from >= length_.total_steps)
      warn(group.mark, path + ".from",
           said_step(*group.from, from) + " is when it comes into force, " + run_ends() +
               ", so it never does. Start it earlier, or train longer.");
  }

  TimeFit found() && { return std::move(found_); }

 private:
  void warn(const Mark& mark, const std::string& path, const std::string& message) {
    found_.warnings.push_back({mark, path, message});
  }

  void fault(const Mark& mark, const std::string& path, const std::string& message) {
    found_.faults.push_back({mark, path, message});
  }

  [[nodiscard]] std::string run_ends() const {
    return "but the run ends after " + std::to_string(length_.total_steps) + " steps";
  }

  // The step of a window's edge, with its place should it have none.
  [[nodiscard]] int64_t step_of(const Time& time, const Node& node) const {
    try {
      return time.steps(length_);
    } catch (const ConfigError& error) {
      throw_at(node, error.what());
    }
  }

  void window(const Node& options, const std::string& path) {
    const NodeWindow open = read_window(options);
    const int64_t from = open.from ? step_of(*open.from, *options.find("from")) : 0;
    if (open.until && until(open, from, *options.find("until"), path)) return;
    if (from >= length_.total_steps)
      warn(options.find("from")->mark(), path + ".from",
           said_step(*open.from, from) + " is when it starts, " + run_ends() +
               ", so it never runs. Start it earlier, or train longer.");
    repetition(open, options, path);
  }

  // Whether the end of the window says already that it never opens.
  bool until(const NodeWindow& open, int64_t from, const Node& node, const std::string& path) {
    const int64_t end = step_of(*open.until, node);
    if (end > from) return false;
    fault(node.mark(), path + ".until",
          said_step(*open.until, end) + " is when it stops, not after " +
              said_step(open.from.value_or(Time{}), from) + ", when it starts, so it never runs.");
    return true;
  }

  void repetition(const NodeWindow& open, const Node& options, const std::string& path) {
    if (open.offset && !open.every)
      return fault(options.find("offset")->mark(), path + ".offset",
                   "says when the first turn is, but there is no 'every' beside it. Use 'from' for "
                   "a start.");
    if (!open.every) return;
    const Node& every = *options.find("every");
    const bool is_in_epochs = open.every->unit == TimeUnit::kEpoch;
    if (open.every->value <= 0 || step_of(*open.every, every) < 1)
      return fault(every.mark(), path + ".every",
                   open.every->text() + " is no step at all. Use at least 1st or 1ep.");
    if (!open.offset || open.offset->value == 0) return;
    const Node& offset = *options.find("offset");
    if (is_in_epochs != (open.offset->unit == TimeUnit::kEpoch))
      return fault(offset.mark(), path + ".offset",
                   open.offset->text() + " and every: " + open.every->text() +
                       " must be both in epochs, or neither.");
    const int64_t first = step_of(*open.offset, offset);
    if (first >= length_.total_steps)
      warn(offset.mark(), path + ".offset",
           said_step(*open.offset, first) + " is its first turn, " + run_ends() +
               ", so it never runs. Start it earlier, or train longer.");
  }

  void schedule(const Node& node, const std::string& path) {
    const Choice<Schedule> choice = TypeOf<Choice<Schedule>>::read(node);
    const auto made = registry<Schedule>().make(choice);
    const std::vector<std::string> unreached =
        at_option_of(choice.options(), [&] { return made->unreached(length_); });
    for (const std::string& message : unreached)
      warn(node.mark(), path + "." + choice.name(), message);
    const std::optional<int64_t> step =
        at_option_of(choice.options(), [&] { return first_not_finite(*made, length_); });
    if (!step) return;
    const bool is_infinite = std::isinf(value_at(*made, *step, length_));
    fault(node.mark(), node.mark().path ? *node.mark().path : path,
          std::string(is_infinite ? "is infinite" : "is no number") + " at step " +
              std::to_string(*step) + ", but the run has " + std::to_string(length_.total_steps) +
              ". Use smaller numbers, or train shorter.");
  }

  const TrainingLength& length_;
  TimeFit found_;
};

}  // namespace

TimeFit time_fit(const ExperimentOptions& options, const TrainingLength& length,
                 const Node& config) {
  TimeFitter fitter(length);
  const Node* data = config.find("data");
  fitter.sets(options.data.windows, data != nullptr ? data->find("windows") : nullptr);
  fitter.number(options.data.batch_size, "data.batch_size");
  fitter.components(options.data.ops, "data.ops");
  fitter.components(options.data.batch_ops, "data.batch_ops");
  for (const auto& [name, model] : options.models) {
    if (model.optimizer) fitter.component(*model.optimizer, "models." + name + ".optimizer");
    for (const auto& [more, optimizer] : model.optimizers)
      fitter.component(optimizer, "models." + name + ".optimizers." + more);
    for (size_t i = 0; i < model.groups.size(); ++i)
      fitter.group(model.groups[i], "models." + name + ".groups[" + std::to_string(i) + "]");
  }
  fitter.components(options.network, "network");
  fitter.components(options.metrics, "metrics");
  fitter.components(options.train.traces, "train.traces");
  return std::move(fitter).found();
}

}  // namespace hearth
