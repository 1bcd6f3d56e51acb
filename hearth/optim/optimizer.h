// An optimizer: one update over all parameters of a model. For people who write one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hearth/config/time.h"
#include "hearth/kernels/kernels.h"
#include "hearth/schedule/schedule.h"
#include "hearth/tensor/state.h"

namespace hearth {

// What an optimizer remembers of each parameter: the updates it has had and one tensor a slot, such
// as a momentum. Kept and saved by the parameter's name.
class OptimizerMemory {
 public:
  struct Entry {
    int64_t steps = 0;
    std::vector<at::Tensor> slots;  // undefined until the first update
  };
  explicit OptimizerMemory(std::vector<std::string> slots) : slots_(std::move(slots)) {}
  // Of the parameter at `index` in the order they were attached.
  [[nodiscard]] Entry& at(size_t index);
  [[nodiscard]] State state(const std::vector<NamedTensor>& parameters) const;
  // Forgets what is not in `state`; DataError for tensors that belong to no parameter or do not
  // fit.
  void restore(const State& state, const std::vector<NamedTensor>& parameters);

 private:
  void restore_slot(const std::string& name, const at::Tensor& saved,
                    const std::vector<NamedTensor>& parameters);
  std::vector<std::string> slots_;
  std::vector<Entry> entries_;
};

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  // The parameters it updates, by name; called once, before the first step.
  void attach(std::vector<NamedTensor> parameters, Kernels kernels = Kernels::kFast);
  // Updates every parameter that has a gradient from `parameter.grad()`, under no-grad, with the
  // schedules' values at `moment`. The caller drops the gradients. Here one parameter after the
  // other; an optimizer that can do better overrides it.
  virtual void step(const Moment& moment);
  [[nodiscard]] double learning_rate(const Moment& moment) const { return lr_.at(moment); }
  // Steps at which a schedule changes its behaviour.
  [[nodiscard]] std::vector<int64_t> changes(const TrainingLength& length) const {
    return lr_.changes(length);
  }

  // Its tensors are named <slot>/<parameter>; restore accepts what state gave, by name.
  [[nodiscard]] State state() const { return memory_.state(parameters_); }
  void restore(const State& state) { memory_.restore(state, parameters_); }

 protected:
  // `slots` names the tensors it remembers of each parameter, such as "momentum_buffer".
  Optimizer(const Scheduled& lr, std::vector<std::string> slots)
      : lr_(lr), memory_(std::move(slots)) {}
  // Moves one parameter that has a gradient.
  virtual void update(const at::Tensor& parameter, OptimizerMemory::Entry& entry,
                      double lr) const = 0;

 private:
  std::vector<NamedTensor> parameters_;
  ScheduledValue lr_;
  OptimizerMemory memory_;
  Kernels kernels_ = Kernels::kFast;
};

}  // namespace hearth
