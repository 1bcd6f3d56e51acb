// Windows and schedules held against the length of the run.
#include "hearth/experiment/time_fit.h"

#include "hearth/base/error.h"
#include "hearth/experiment/graph_component.h"

namespace hearth {
namespace {

std::string said_step(const Time& time, int64_t step) {
  return time.text() + " (step " + std::to_string(step) + ")";
}

class TimeFitter {
 public:
  explicit TimeFitter(const TrainingLength& length) : length_(length) {}

  template <class Base>
  void component(const Choice<Base>& choice, const std::string& path) {
    const std::string own = path + "." + choice.name();
    window(choice.options(), own);
    for (const Node::Entry& entry : choice.options().entries())
      if (is_schedule(entry.value)) schedule(entry.value, own + "." + entry.key);
  }

  template <class Base>
  void components(const std::vector<Choice<Base>>& choices, const std::string& path) {
    for (size_t i = 0; i < choices.size(); ++i)
      component(choices[i], path + "[" + std::to_string(i) + "]");
  }

  TimeFit found() && { return std::move(found_); }

 private:
  void warn(const Mark& mark, const std::string& path, const std::string& message) {
    found_.warnings.push_back({mark, path, message});
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
  }

  // Whether the end of the window says already that it never opens.
  bool until(const NodeWindow& open, int64_t from, const Node& node, const std::string& path) {
    const int64_t end = step_of(*open.until, node);
    const int64_t first_epoch = length_.first_epoch_from(from);
    if (end <= from) {
      found_.faults.push_back({node.mark(), path + ".until",
                               said_step(*open.until, end) + " is when it stops, not after " +
                                   said_step(open.from.value_or(Time{}), from) +
                                   ", when it starts, so it never runs."});
      return true;
    }
    if (length_.first_step(first_epoch) < end) return false;
    warn(node.mark(), path + ".until",
         "it is on from step " + std::to_string(from) + " to step " + std::to_string(end) +
             ", but switches at the start of an epoch, every " +
             std::to_string(length_.steps_per_epoch) + " steps, so it never runs.");
    return true;
  }

  void schedule(const Node& node, const std::string& path) {
    const Choice<Schedule> choice = TypeOf<Choice<Schedule>>::read(node);
    const auto made = registry<Schedule>().make(choice);
    std::vector<std::string> unreached;
    try {
      unreached = made->unreached(length_);
    } catch (const ConfigError& error) {
      throw_at(node, error.what());
    }
    for (const std::string& message : unreached)
      warn(node.mark(), path + "." + choice.name(), message);
  }

  const TrainingLength& length_;
  TimeFit found_;
};

}  // namespace

TimeFit time_fit(const ExperimentOptions& options, const TrainingLength& length) {
  TimeFitter fitter(length);
  fitter.components(options.data.ops, "data.ops");
  fitter.components(options.data.batch_ops, "data.batch_ops");
  for (const auto& [name, model] : options.models)
    if (model.optimizer) fitter.component(*model.optimizer, "models." + name + ".optimizer");
  fitter.components(options.network, "network");
  fitter.components(options.train.traces, "train.traces");
  return std::move(fitter).found();
}

}  // namespace hearth
