// The optimizers of one model, and the groups of its parameters.
#include "hearth/network/model_optimizers.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/pattern.h"
#include "hearth/base/text.h"
#include "hearth/config/place.h"
#include "hearth/config/registry.h"

namespace hearth {
namespace {

bool is_in(const ParameterGroup& group, const std::string& parameter) {
  return std::any_of(group.match.begin(), group.match.end(), [&](const std::string& pattern) {
    return matches_within(pattern, parameter);
  });
}

bool holds_always(const ParameterGroup& group) { return !group.from && !group.until; }

bool changes_rate(const ParameterGroup& group) {
  return !group.lr_factor.is_constant() || group.lr_factor.constant() != 1;
}

// Each tensor once, under its first name.
std::vector<NamedTensor> distinct(const std::vector<NamedTensor>& parameters) {
  std::vector<NamedTensor> found;
  for (const NamedTensor& parameter : parameters)
    if (std::none_of(found.begin(), found.end(), [&](const NamedTensor& known) {
          return known.second.is_same(parameter.second);
        }))
      found.push_back(parameter);
  return found;
}

std::string state_place(const std::string& name) {
  return name.empty() ? "optimizer" : "optimizers/" + name;
}

}  // namespace

ModelOptimizers::ModelOptimizers(std::string model, const ModelOptions& options)
    : model_(std::move(model)), groups_(options.groups), decays_all_(options.decay == "all") {
  const auto add = [&](const std::string& name, const Choice<Optimizer>& choice) {
    all_.push_back({name, choice, registry<Optimizer>().make(choice)});
  };
  if (options.optimizer) add("", *options.optimizer);
  for (const auto& [name, choice] : options.optimizers) add(name, choice);
  for (const ParameterGroup& group : groups_)
    if (!group.optimizer.empty()) at_place(group.mark, [&] { (void)find(group.optimizer); });
}

std::vector<Optimizer*> ModelOptimizers::find(const std::string& name) const {
  std::vector<Optimizer*> found;
  std::vector<std::string> names;
  for (const Named& named : all_) {
    if (name.empty() || named.name == name) found.push_back(named.optimizer.get());
    if (!named.name.empty()) names.push_back(named.name);
  }
  if (found.empty() && !name.empty())
    throw ConfigError("the model " + quote(model_) + " has no optimizer " + quote(name) +
                      " in `optimizers`." + did_you_mean(name, names));
  return found;
}

bool ModelOptimizers::have_own_averages() const {
  return std::any_of(all_.begin(), all_.end(),
                     [](const Named& named) { return named.optimizer->has_own_average(); });
}

bool ModelOptimizers::need_shapes() const {
  return std::any_of(all_.begin(), all_.end(),
                     [](const Named& named) { return named.optimizer->needs_shapes(); });
}

size_t ModelOptimizers::owner(const std::string& parameter) const {
  std::string name;
  for (const ParameterGroup& group : groups_)
    if (name.empty() && is_in(group, parameter)) name = group.optimizer;
  for (size_t i = 0; i < all_.size(); ++i)
    if (all_[i].name == name) return i;
  throw GraphError("no optimizer moves the parameter " + quote(parameter) + " of the model " +
                   quote(model_) +
                   ". Give the model an `optimizer`, for all that no group names another for.");
}

void ModelOptimizers::attach(const std::vector<NamedTensor>& parameters, Kernels kernels,
                             std::optional<double> average) {
  const std::vector<NamedTensor> own = distinct(parameters);
  check_groups(own);
  if (all_.empty()) return;
  std::vector<std::vector<NamedTensor>> moved(all_.size());
  for (const NamedTensor& parameter : own) moved[owner(parameter.first)].push_back(parameter);
  for (size_t i = 0; i < all_.size(); ++i) {
    Named& named = all_[i];
    if (moved[i].empty() && !own.empty())
      throw GraphError(
          "no parameter of the model " + quote(model_) + " is left for " +
              (named.name.empty() ? "its optimizer" : "its optimizer " + quote(named.name)) +
              ". Name it in a group, or leave it out.",
          named.choice.options().mark().place());
    if (average && named.optimizer->has_own_average())
      throw GraphError("the optimizer " + quote(named.choice.name()) + " of the model " +
                           quote(model_) +
                           " learns an average of the weights by itself, which evaluation uses. "
                           "Leave `average` out.",
                       named.choice.options().mark().place());
    named.optimizer->attach(std::move(moved[i]), kernels, average);
    set_groups(named);
  }
  if (!sharer_) return;
  check_sharing();
  if (sharer_->ranks > 1) share_out_values();
}

void ModelOptimizers::check_sharing() const {
  for (const Named& named : all_) {
    const std::string who =
        "zero: the optimizer " + quote(named.choice.name()) + " of the model " + quote(model_);
    const std::string next = ". Leave `zero` out, or use another optimizer, such as adamw.";
    const auto place = named.choice.options().mark().place();
    if (named.optimizer->has_own_average())
      throw GraphError(who +
                           " learns an average of the weights by itself, which every process "
                           "needs whole for evaluations" +
                           next,
                       place);
    if (named.optimizer->searches())
      throw GraphError(who +
                           " looks at all parameters at once, so that no process can move a "
                           "share of them" +
                           next,
                       place);
  }
}

int64_t ModelOptimizers::expected_bytes() const {
  int64_t bytes = 0;
  for (const Named& named : all_) bytes += named.optimizer->expected_bytes();
  return bytes;
}

std::vector<SharedParameter> ModelOptimizers::shared_parameters() const {
  std::vector<SharedParameter> all;
  for (const Named& named : all_)
    for (SharedParameter& parameter : named.optimizer->shared_parameters()) {
      parameter.name = named.name + "/" + parameter.name;
      all.push_back(std::move(parameter));
    }
  return all;
}

// All optimizers' together: what one leaves uneven another may fill up.
void ModelOptimizers::share_out_values() {
  const std::vector<RangesOfRanks> ranges = share_out(shared_parameters(), sharer_->ranks);
  auto begin = ranges.begin();
  for (const Named& named : all_) {
    const auto end = begin + static_cast<std::ptrdiff_t>(named.optimizer->handles().size());
    named.optimizer->set_shares(ParameterShares({begin, end}, sharer_->rank));
    begin = end;
  }
}

void ModelOptimizers::check_groups(const std::vector<NamedTensor>& parameters) const {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : parameters) names.push_back(name);
  for (size_t g = 0; g < groups_.size(); ++g)
    at_place(groups_[g].mark, [&] {
      for (const std::string& pattern : groups_[g].match)
        if (std::none_of(names.begin(), names.end(),
                         [&](const std::string& name) { return matches_within(pattern, name); }))
          throw GraphError("match: no parameter of " + quote(model_) + " is called " +
                           quote(pattern) + "." + did_you_mean(pattern, names));
      check_hidden(parameters, g);
    });
}

void ModelOptimizers::check_hidden(const std::vector<NamedTensor>& parameters, size_t group) const {
  if (!groups_[group].optimizer.empty()) return;
  const auto is_hidden = [&](const NamedTensor& parameter) {
    const auto end = groups_.begin() + static_cast<std::ptrdiff_t>(group);
    return !is_in(groups_[group], parameter.first) ||
           std::any_of(groups_.begin(), end, [&](const ParameterGroup& earlier) {
             return holds_always(earlier) && is_in(earlier, parameter.first);
           });
  };
  if (std::all_of(parameters.begin(), parameters.end(), is_hidden))
    throw GraphError("match: all parameters of " + quote(model_) +
                     " that it names are in groups before it, and the first group counts. Move it "
                     "up, or leave it out.");
}

void ModelOptimizers::set_groups(Named& named) const {
  const std::vector<NamedTensor>& own = named.optimizer->handles();
  std::vector<OptimizerGroup> groups;
  std::vector<std::vector<size_t>> of_parameters(own.size());
  for (const ParameterGroup& group : groups_) {
    const size_t number = groups.size();
    bool has_any = false;
    for (size_t i = 0; i < own.size(); ++i) {
      if (!is_in(group, own[i].first)) continue;
      of_parameters[i].push_back(number);
      has_any = true;
    }
    std::shared_ptr<const Optimizer> rule;
    if (has_any && group.weight_decay)
      rule = at_place(group.mark, [&] {
        return with_decay(named, TypeOf<Scheduled>::write(*group.weight_decay), "The group");
      });
    groups.push_back(
        {ScheduledValue(group.lr_factor), rule, group.frozen, group.from, group.until});
  }
  ParameterGroups all(std::move(groups), std::move(of_parameters));
  if (!decays_all_) {
    std::vector<bool> is_small;
    for (const auto& [name, parameter] : own) is_small.push_back(parameter.dim() <= 1);
    all.set_undecayed(with_decay(named, Node::scalar("0"), "`decay: weights`"), is_small);
  }
  named.optimizer->set_groups(std::move(all));
}

std::shared_ptr<const Optimizer> ModelOptimizers::with_decay(const Named& named, const Node& decay,
                                                             const std::string& who) const {
  const std::string& kind = named.choice.name();
  const SchemaInfo schema = registry<Optimizer>().schema(kind, named.choice.options().mark());
  if (schema.find("weight_decay") == nullptr)
    throw ConfigError(who + " sets weight_decay, which the optimizer " + quote(kind) +
                      " does not have. Leave it out, or use one that has it, such as adamw.");
  return registry<Optimizer>().make(named.choice.with("weight_decay", decay));
}

void ModelOptimizers::follow_groups(const Moment& moment) {
  if (groups_.empty()) return;
  for (const Named& named : all_) named.optimizer->follow_groups(moment);
}

void ModelOptimizers::scale_rates(double factor) {
  for (const Named& named : all_) named.optimizer->scale_rate(factor);
}

std::vector<std::pair<std::string, double>> ModelOptimizers::learning_rates(
    const Moment& moment) const {
  std::vector<std::pair<std::string, double>> rates;
  for (const Named& named : all_) {
    const double rate = named.optimizer->learning_rate(moment);
    const std::string own = model_ + (named.name.empty() ? "" : "/" + named.name);
    rates.emplace_back(own, rate);
    const ParameterGroups& known = named.optimizer->groups();
    const std::vector<OptimizerGroup>& groups = known.all();
    for (size_t g = 0; g < groups.size(); ++g) {
      if (!changes_rate(groups_[g]) || !groups[g].is_on(moment) || !known.is_used(g)) continue;
      const std::string& name = groups_[g].name;
      rates.emplace_back(own + "/" + (name.empty() ? std::to_string(g) : name),
                         rate * groups[g].lr_factor.at(moment));
    }
  }
  return rates;
}

State ModelOptimizers::state() const {
  State state;
  for (const Named& named : all_) state.add(state_place(named.name), named.optimizer->state());
  return state;
}

void ModelOptimizers::restore(const State& state) {
  for (const Named& named : all_) named.optimizer->restore(state.part(state_place(named.name)));
}

State ModelOptimizers::common_state() const {
  State state;
  for (const Named& named : all_)
    state.add(state_place(named.name), named.optimizer->common_state());
  return state;
}

State ModelOptimizers::whole_state(const std::vector<State>& of_ranks) const {
  State state;
  for (const Named& named : all_) {
    const std::string place = state_place(named.name);
    std::vector<State> parts;
    for (const State& one : of_ranks) parts.push_back(one.part(place));
    state.add(place, named.optimizer->whole_state(parts));
  }
  return state;
}

int64_t ModelOptimizers::shared_bytes() const {
  int64_t bytes = 0;
  for (const Named& named : all_) bytes += named.optimizer->shared_bytes();
  return bytes;
}

std::vector<NamedTensor> ModelOptimizers::saved_averages(const State& state) const {
  std::vector<NamedTensor> averages;
  for (const Named& named : all_)
    for (const NamedTensor& average : state.part(state_place(named.name) + "/average").tensors)
      averages.push_back(average);
  return averages;
}

}  // namespace hearth
