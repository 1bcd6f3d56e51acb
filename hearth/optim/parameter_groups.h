// Parameters of one optimizer that move in ways of their own: slower, with another decay, not at
// all.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "hearth/config/time.h"
#include "hearth/schedule/schedule.h"

namespace hearth {

class Optimizer;

struct OptimizerGroup {
  ScheduledValue lr_factor = ScheduledValue(1);
  // Of the optimizer's kind, with options of the group; asked for its rule alone, what it would
  // remember the optimizer does. Null: the optimizer itself.
  std::shared_ptr<const Optimizer> rule = {};
  bool is_frozen = false;
  std::optional<Time> from = {};
  std::optional<Time> until = {};

  [[nodiscard]] bool is_on(const Moment& moment) const;
};

class ParameterGroups {
 public:
  ParameterGroups() = default;
  // `of_parameters`: for each parameter the groups it belongs to; the first that is on counts.
  ParameterGroups(std::vector<OptimizerGroup> groups,
                  std::vector<std::vector<size_t>> of_parameters);
  // Who moves these parameters as long as their group does not say another decay.
  void set_undecayed(std::shared_ptr<const Optimizer> rule, std::vector<bool> parameters);

  // Finds the groups that are in force, for the questions about parameters below.
  void begin_step(const Moment& moment);
  [[nodiscard]] double lr_factor(size_t parameter) const {
    const Now* now = group_of(parameter);
    return now == nullptr ? 1 : now->lr_factor;
  }
  [[nodiscard]] bool is_frozen(size_t parameter) const {
    const Now* now = group_of(parameter);
    return now != nullptr && now->is_frozen;
  }
  // Null: the optimizer itself.
  [[nodiscard]] const Optimizer* rule(size_t parameter) const;

  // Whether a parameter belongs to the group.
  [[nodiscard]] bool is_used(size_t group) const;
  [[nodiscard]] bool can_freeze() const { return can_freeze_; }
  [[nodiscard]] const std::vector<OptimizerGroup>& all() const { return groups_; }

 private:
  // A group in the step that runs.
  struct Now {
    bool is_on = false;
    bool is_frozen = false;
    double lr_factor = 1;
  };
  // The number of the group in force; the number of groups for none.
  [[nodiscard]] size_t number_of(size_t parameter) const;
  [[nodiscard]] const Now* group_of(size_t parameter) const {
    if (groups_.empty()) return nullptr;
    const size_t number = number_of(parameter);
    return number < now_.size() ? &now_[number] : nullptr;
  }

  std::vector<OptimizerGroup> groups_;
  std::vector<std::vector<size_t>> of_parameters_;
  std::vector<Now> now_;
  bool can_freeze_ = false;
  std::shared_ptr<const Optimizer> undecayed_;
  std::vector<bool> is_undecayed_;
};

}  // namespace hearth
