// An optimizer: one update over all parameters of a model. For people who write one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hearth/config/time.h"
#include "hearth/kernels/kernels.h"
#include "hearth/kernels/update/multi_tensor.h"
#include "hearth/optim/optimizer_memory.h"
#include "hearth/optim/parameter_groups.h"
#include "hearth/schedule/schedule.h"
#include "hearth/schedule/timed.h"
#include "hearth/tensor/state.h"

namespace hearth {

class Optimizer;

// With processes that share out what an optimizer remembers: those that have the other shares.
// All of them call it together.
class ShareExchange {
 public:
  virtual ~ShareExchange() = default;
  // Each process has the numbers whose owner it is; then all have all.
  virtual void complete(std::span<double> numbers, std::span<const int> owners) = 0;
  // Values of whole parameters, in one row each, of which every process has its share; then all.
  struct Row {
    size_t parameter = 0;
    at::Tensor values;
  };
  virtual void spread(const ParameterShares& shares, std::span<const Row> rows) = 0;
};

// With replicas: optimizers attached to the same parameters in the same order, with gradients of
// their own, which are added to the first's in the order of ShardTree; and who shares the work.
struct OptimizerReplicas {
  std::span<Optimizer* const> others = {};
  Crew* crew = nullptr;
  ShareExchange* shares = nullptr;  // for one that has shares, which has no others
};

// What a rule is asked with, for one parameter.
struct ParameterStep {
  const Moment& moment;
  double lr = 0;           // of this parameter: the schedule's, times the factor of its group
  bool is_vector = false;  // one dimension, or none
};

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  // The parameters it updates, by name; called once, before the first step. A tensor with several
  // names is updated once, under the first. With `average`, a decay below 1, it also keeps an
  // exponential average of each parameter; one that learns an average by itself keeps that alone.
  void attach(std::vector<NamedTensor> parameters, Kernels kernels = Kernels::kFast,
              std::optional<double> average = {});
  // Before the first step: parameters that move in ways of their own, by their places in
  // `handles()`.
  void set_groups(ParameterGroups groups) { groups_ = std::move(groups); }
  [[nodiscard]] const ParameterGroups& groups() const { return groups_; }
  // Before the first step: it moves and remembers a share of the parameters' values, and other
  // processes the rest. What it would remember of each parameter's values, for who shares them out,
  // in the order of `handles()`.
  void set_shares(ParameterShares shares) { memory_.set_shares(std::move(shares)); }
  [[nodiscard]] const ParameterShares& shares() const { return memory_.shares(); }
  [[nodiscard]] std::vector<SharedParameter> shared_parameters() const;
  // Before a batch: parameters of groups that are frozen then ask for no gradients, so that nobody
  // computes them; those of groups that are frozen no longer ask for them again.
  void follow_groups(const Moment& moment);
  // Ordinary tensors, as `Layer::parameters` gives them; or as they lie in memory.
  [[nodiscard]] const std::vector<NamedTensor>& parameters() const;
  [[nodiscard]] const std::vector<NamedTensor>& handles() const { return parameters_; }
  // Of the parameter at `index`, in the form it had at the last update; undefined when none is
  // kept, or before its first update.
  [[nodiscard]] at::Tensor average(size_t index) const;
  // Whether it learns averages of the parameters by itself, which are what shall be used.
  [[nodiscard]] bool has_own_average() const { return has_own_average_; }
  // Whether an update depends on a parameter's shape, which packed ones do not have.
  [[nodiscard]] virtual bool needs_shapes() const { return false; }

  // Updates every parameter that has a gradient, under no-grad, with the schedules' values at
  // `moment`: all in one pass where there is a kernel for it, else one after the other. A
  // `clip_norm` above 0 bounds the norm of all gradients together. The caller drops the gradients,
  // which may have been scaled.
  void step(const Moment& moment, double clip_norm = 0, const OptimizerReplicas& replicas = {});
  // Whether it looks at losses along its way: then `step_along` makes better steps than `step`.
  [[nodiscard]] virtual bool searches() const { return false; }
  // With shares: whole gradients of the parameters that have one, of which this process may have
  // its share only.
  [[nodiscard]] std::vector<NamedTensor> whole_gradients(ShareExchange& shares) const;
  // The same step, from this loss; `evaluate` gives the loss where the parameters are by then, and
  // their gradients.
  void step_along(const Moment& moment, double loss, const std::function<double()>& evaluate);
  // Adds the gradients of the others' parameters to those of its own, and drops theirs.
  void take_gradients(std::span<Optimizer* const> others);
  void drop_gradients();
  // Of its parameters, where they have one.
  [[nodiscard]] std::vector<at::Tensor> own_gradients() const;
  // By the parameter's name, with those of the others added; nothing changes.
  [[nodiscard]] std::vector<NamedTensor> gradients_with(std::span<Optimizer* const> others) const;
  [[nodiscard]] double learning_rate(const Moment& moment) const {
    return lr_.at(moment) * rate_factor_;
  }
  // What happened so far may ask for another rate than the schedule's: it is multiplied by this,
  // and by what was asked for before. Part of the state.
  void scale_rate(double factor) { rate_factor_ *= factor; }
  [[nodiscard]] double rate_factor() const { return rate_factor_; }
  void set_rate_factor(double factor) { rate_factor_ = factor; }

  // Its tensors are named <slot>/<parameter>; restore accepts what state gave, by name.
  // With shares it is what this process remembers; `common_state` is what all of them do, and
  // `whole_state` makes one of everybody's that a process alone would have.
  [[nodiscard]] State state() const;
  [[nodiscard]] State common_state() const;
  [[nodiscard]] State whole_state(const std::vector<State>& of_ranks) const;
  void restore(const State& state);
  // Bytes of what it will remember of all parameters that learn, averages too, once it has moved
  // them for a while; where nothing is shared out.
  [[nodiscard]] int64_t expected_bytes() const;
  // Bytes of what it remembers here, but for the averages that every process has.
  [[nodiscard]] int64_t shared_bytes() const { return memory_.shared_bytes(); }

 protected:
  // `slots` names the tensors it remembers of each parameter, such as "momentum_buffer"; one called
  // "average" is what evaluation uses in the parameter's place.
  Optimizer(const Scheduled& lr, std::vector<OptimizerSlot> slots);
  // The same for one whose options may all move with time.
  template <class Options>
  Optimizer(const Timed<Options>& options, std::vector<OptimizerSlot> slots)
      : Optimizer(options.fixed().lr, std::move(slots)) {}
  // How one parameter that has a gradient moves, after `entry.steps` updates: numbers for a
  // formula, which has a kernel that updates all parameters in one pass. None: `update` says it.
  [[nodiscard]] virtual std::optional<UpdateRule> rule(const OptimizerMemory::Entry& entry,
                                                       const ParameterStep& step) const {
    (void)entry;
    (void)step;
    return std::nullopt;
  }
  // The same with LibTorch's operators: the truth of what the optimizer does. By the rule, for one
  // that has rules.
  virtual void update(const at::Tensor& parameter, OptimizerMemory::Entry& entry,
                      const ParameterStep& step) const;
  // What a rule's slot is before the first update: zeros, unless it says otherwise.
  [[nodiscard]] virtual at::Tensor first_slot(size_t slot, const at::Tensor& parameter,
                                              const ParameterStep& step) const;
  // How many values a slot has in the end, of a parameter of these sizes; asked where there is no
  // rule. As many as the parameter, or none for a slot of its own shape, unless it says otherwise.
  [[nodiscard]] virtual int64_t values_in_slot(size_t slot, at::IntArrayRef sizes) const;
  // For one that `searches`: all parameters with their memories, moved at once. Those without a
  // gradient stay.
  struct Search {
    std::vector<at::Tensor> parameters;
    std::vector<OptimizerMemory::Entry*> entries;  // one a parameter
    const Moment& moment;
    double lr = 0;
    double loss = 0;
    std::function<double()> evaluate = {};  // none: one step along the gradients that are there
  };
  virtual void search(const Search& search) const { (void)search; }
  // After an update: the numbers it needs for the next.
  virtual void remember(OptimizerMemory::Entry& entry, const ParameterStep& step) const {
    (void)entry;
    (void)step;
  }

 private:
  // A parameter of this step, with the gradient in the parameter's own order in memory.
  struct Pending {
    size_t index = 0;
    std::vector<at::Tensor> gradients;  // the first's, then the replicas'; none: only averaged
    UpdateRule rule;
  };
  // Which groups are in force, and the learning rates; frozen parameters lose their gradients.
  void begin_step(const Moment& moment);
  [[nodiscard]] ParameterStep step_of(size_t index, const Moment& moment) const;
  // Who moves the parameter: itself, or one with options of a group.
  [[nodiscard]] const Optimizer& ruler(size_t index) const;
  void step_plain(const Moment& moment, double clip_norm);
  void move_one(size_t index, const Moment& moment);
  void step_by_search(const Moment& moment, double loss, const std::function<double()>& evaluate);
  // Around an update of the parameter: its average begins before it, and takes it in after it.
  void begin_average(size_t index);
  void follow_average(size_t index);
  // Gradients and slots into the form of their parameters, which may have been packed or unpacked.
  void follow_parameters();
  void step_fast(const Moment& moment, double clip_norm, Crew* crew);
  void gather_spans(const Moment& moment);
  // With shares: what is moved here, then what all have moved, then averages of it.
  void step_share(const Moment& moment, double clip_norm, const OptimizerReplicas& replicas);
  [[nodiscard]] bool can_move_share_fast(const Moment& moment);
  void move_share_fast(const Moment& moment, double clip_norm, const OptimizerReplicas& replicas);
  void move_share_plain(const Moment& moment, double clip_norm, ShareExchange& shares);
  [[nodiscard]] double norm_of_all_shares(const OptimizerReplicas& replicas);
  void clip_share(double clip_norm, ShareExchange& shares);
  void average_all(bool is_fast, Crew* crew);
  // Of a tensor of the parameter's form: the values that are moved here.
  [[nodiscard]] at::Tensor own_values(const at::Tensor& tensor, size_t index) const;
  [[nodiscard]] bool is_cut(size_t index) const;
  [[nodiscard]] std::vector<size_t> with_gradients() const;
  // Fills `pending_`; false when some parameter needs the plain path. Changes nothing else.
  [[nodiscard]] bool can_step_fast(const Moment& moment, std::span<Optimizer* const> others);
  // Of one parameter: its own gradient and the replicas'; undefined where one has none.
  [[nodiscard]] std::vector<at::Tensor> gradients(size_t index,
                                                  std::span<Optimizer* const> others) const;
  [[nodiscard]] UpdateSpan span_of(const Pending& pending, const Moment& moment);
  [[nodiscard]] double average_decay(const OptimizerMemory::Entry& entry) const;

  std::vector<NamedTensor> parameters_;
  std::vector<std::vector<int64_t>> sizes_;  // of the parameters, unpacked
  ScheduledValue lr_;
  double rate_factor_ = 1;
  double lr_now_ = 0;  // in this step
  ParameterGroups groups_;
  std::vector<bool> stopped_;  // parameters that learn, but for their group
  OptimizerMemory memory_;
  std::optional<double> average_;  // its tensors are the last slot
  bool has_own_average_ = false;
  Kernels kernels_ = Kernels::kFast;
  std::vector<Pending> pending_;  // of this step; kept for its memory
  std::vector<UpdateSpan> spans_;
  std::vector<const float*> more_gradients_;  // the spans point into it
};

}  // namespace hearth
