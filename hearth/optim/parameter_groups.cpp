// Parameters of one optimizer that move in ways of their own.
#include "hearth/optim/parameter_groups.h"

#include <algorithm>

#include "hearth/optim/optimizer.h"

namespace hearth {

bool OptimizerGroup::is_on(const Moment& moment) const {
  return (!from || moment.step >= from->steps(moment.length)) &&
         (!until || moment.step < until->steps(moment.length));
}

ParameterGroups::ParameterGroups(std::vector<OptimizerGroup> groups,
                                 std::vector<std::vector<size_t>> of_parameters)
    : groups_(std::move(groups)),
      of_parameters_(std::move(of_parameters)),
      now_(groups_.size()),
      can_freeze_(std::any_of(groups_.begin(), groups_.end(),
                              [](const OptimizerGroup& group) { return group.is_frozen; })) {}

void ParameterGroups::set_undecayed(std::shared_ptr<const Optimizer> rule,
                                    std::vector<bool> parameters) {
  undecayed_ = std::move(rule);
  is_undecayed_ = std::move(parameters);
}

void ParameterGroups::begin_step(const Moment& moment) {
  for (size_t i = 0; i < groups_.size(); ++i)
    now_[i] = {groups_[i].is_on(moment), groups_[i].is_frozen, groups_[i].lr_factor.at(moment)};
}

size_t ParameterGroups::number_of(size_t parameter) const {
  for (const size_t number : of_parameters_[parameter])
    if (now_[number].is_on) return number;
  return groups_.size();
}

const Optimizer* ParameterGroups::rule(size_t parameter) const {
  const size_t number = groups_.empty() ? 0 : number_of(parameter);
  if (number < groups_.size() && groups_[number].rule) return groups_[number].rule.get();
  return undecayed_ && is_undecayed_[parameter] ? undecayed_.get() : nullptr;
}

bool ParameterGroups::is_used(size_t group) const {
  return std::any_of(of_parameters_.begin(), of_parameters_.end(),
                     [&](const std::vector<size_t>& groups) {
                       return std::find(groups.begin(), groups.end(), group) != groups.end();
                     });
}

}  // namespace hearth
