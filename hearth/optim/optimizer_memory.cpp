// What an optimizer remembers of each parameter, kept and saved by the parameter's name.
#include "hearth/optim/optimizer_memory.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/empty_like.h>
#include <c10/core/GradMode.h>

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/tensor/convert.h"

namespace hearth {
namespace {

constexpr const char* kUpdateCounts = "steps";
constexpr const char* kUpdateNumbers = "numbers";

size_t optimizer_index(const std::vector<NamedTensor>& parameters, const std::string& name) {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const NamedTensor& known) { return known.first == name; });
  if (found == parameters.end()) {
    throw DataError("The saved optimizer knows a parameter '" + name +
                    "' that the model does not have. Use the config it was saved with.");
  }
  return static_cast<size_t>(found - parameters.begin());
}

void check_slot(const std::string& name, const at::Tensor& saved, const at::Tensor& parameter) {
  if (saved.sizes() == parameter.sizes() && saved.scalar_type() == parameter.scalar_type()) return;
  throw DataError("The saved optimizer's '" + name + "' is " + describe(saved) +
                  ", but its parameter is " + describe(parameter) +
                  ". Use the config it was saved with.");
}

std::string slot_name(const OptimizerSlot& slot, const std::string& parameter) {
  return slot.name + "/" + parameter;
}

// Undefined where it is not.
at::Tensor tensor_in(const State& state, const std::string& name) {
  const auto found = std::find_if(state.tensors.begin(), state.tensors.end(),
                                  [&](const NamedTensor& known) { return known.first == name; });
  return found == state.tensors.end() ? at::Tensor() : found->second;
}

}  // namespace

size_t OptimizerMemory::find_slot(const std::string& name) const {
  const auto found = std::find_if(slots_.begin(), slots_.end(),
                                  [&](const OptimizerSlot& slot) { return slot.name == name; });
  return static_cast<size_t>(found - slots_.begin());
}

OptimizerMemory::Entry& OptimizerMemory::at(size_t index) {
  if (index >= entries_.size()) entries_.resize(index + 1);
  entries_[index].slots.resize(slots_.size());
  return entries_[index];
}

State OptimizerMemory::state(const std::vector<NamedTensor>& parameters) const {
  State state;
  for (size_t i = 0; i < entries_.size(); ++i) {
    const std::string& name = parameters[i].first;
    if (entries_[i].steps == 0) continue;
    state.values[kUpdateCounts][name] = entries_[i].steps;
    if (!entries_[i].numbers.empty()) state.values[kUpdateNumbers][name] = entries_[i].numbers;
    for (size_t slot = 0; slot < slots_.size(); ++slot) {
      const at::Tensor& tensor = entries_[i].slots[slot];
      if (!tensor.defined()) continue;
      // The parameter is not packed; what was last updated with it may be. A share is a row.
      const at::Tensor& parameter = parameters[i].second;
      const bool is_as_it_is = slots_[slot].has_own_shape || tensor.numel() != parameter.numel();
      state.tensors.emplace_back(slot_name(slots_[slot], name),
                                 is_as_it_is ? tensor : tensor.reshape(parameter.sizes()));
    }
  }
  return state;
}

State OptimizerMemory::common_state(const std::vector<NamedTensor>& parameters) const {
  State all = state(parameters);
  if (!shares_.are_shared()) return all;
  std::erase_if(all.tensors, [&](const NamedTensor& named) {
    return !slots_[find_slot(named.first.substr(0, named.first.find('/')))].is_on_every_rank;
  });
  all.values.erase(kUpdateNumbers);
  return all;
}

State OptimizerMemory::whole_state(const std::vector<NamedTensor>& parameters,
                                   const std::vector<State>& of_ranks) const {
  State whole;
  for (size_t i = 0; i < entries_.size(); ++i) {
    const std::string& name = parameters[i].first;
    if (entries_[i].steps == 0) continue;
    whole.values[kUpdateCounts][name] = entries_[i].steps;
    const Json& owners = of_ranks[static_cast<size_t>(shares_.owner(i, 0))].values;
    if (owners.contains(kUpdateNumbers) && owners.at(kUpdateNumbers).contains(name))
      whole.values[kUpdateNumbers][name] = owners.at(kUpdateNumbers).at(name);
    for (size_t slot = 0; slot < slots_.size(); ++slot)
      if (const at::Tensor tensor = whole_slot(slot, i, parameters[i], of_ranks); tensor.defined())
        whole.tensors.emplace_back(slot_name(slots_[slot], name), tensor);
  }
  return whole;
}

at::Tensor OptimizerMemory::whole_slot(size_t slot, size_t index, const NamedTensor& parameter,
                                       const std::vector<State>& of_ranks) const {
  const std::string name = slot_name(slots_[slot], parameter.first);
  std::vector<at::Tensor> pieces;
  for (int rank = 0; rank < shares_.ranks(); ++rank) {
    const bool has_it =
        slots_[slot].is_on_every_rank ? rank == shares_.rank() : shares_.of(index, rank).size() > 0;
    if (!has_it) continue;
    at::Tensor piece = tensor_in(of_ranks[static_cast<size_t>(rank)], name);
    if (!piece.defined()) return {};
    pieces.push_back(std::move(piece));
  }
  if (pieces.size() < 2) return pieces.empty() ? at::Tensor() : pieces[0];
  return at::cat(pieces).view(parameter.second.sizes());
}

int64_t OptimizerMemory::shared_bytes() const {
  int64_t bytes = 0;
  for (const Entry& entry : entries_)
    for (size_t slot = 0; slot < entry.slots.size(); ++slot)
      if (entry.slots[slot].defined() && !slots_[slot].is_on_every_rank)
        bytes += static_cast<int64_t>(entry.slots[slot].nbytes());
  return bytes;
}

void OptimizerMemory::restore(const State& state, const std::vector<NamedTensor>& parameters) {
  const c10::AutoGradMode no_grad(false);
  entries_.clear();
  const Json counts = state.values.value(kUpdateCounts, Json::object());
  for (const auto& [name, count] : counts.items()) {
    at(optimizer_index(parameters, name)).steps = count.get<int64_t>();
  }
  const Json numbers = state.values.value(kUpdateNumbers, Json::object());
  for (const auto& [name, values] : numbers.items()) {
    const size_t index = optimizer_index(parameters, name);
    if (shares_.has(index)) at(index).numbers = values.get<std::vector<double>>();
  }
  for (const auto& [name, tensor] : state.tensors) restore_slot(name, tensor, parameters);
}

void OptimizerMemory::restore_slot(const std::string& name, const at::Tensor& saved,
                                   const std::vector<NamedTensor>& parameters) {
  const size_t slash = name.find('/');
  const size_t slot = find_slot(name.substr(0, slash));
  if (slash == std::string::npos || slot == slots_.size()) {
    throw DataError("The saved state holds '" + name +
                    "', which this optimizer does not use. Was it saved by another optimizer?");
  }
  const size_t index = optimizer_index(parameters, name.substr(slash + 1));
  const bool is_shared = shares_.are_shared() && !slots_[slot].is_on_every_rank;
  if (is_shared && !shares_.has(index)) return;
  const at::Tensor& parameter = parameters[index].second;
  at::Tensor& restored = at(index).slots[slot];
  if (slots_[slot].has_own_shape) {
    restored = saved.to(parameter.device(), parameter.scalar_type(), false, /*copy=*/true);
    return;
  }
  const int64_t own_values = is_shared ? shares_.own(index).size() : parameter.numel();
  if (own_values != parameter.numel()) {
    if (saved.numel() != own_values) check_slot(name, saved, parameter);
    restored = saved.numel() == own_values
                   ? saved.detach().clone()
                   : saved.reshape({-1}).narrow(0, shares_.own(index).begin, own_values).clone();
    return;
  }
  check_slot(name, saved, parameter);
  // In the order in memory that the parameter has, as when it was made.
  restored = at::empty_like(parameter.detach()).copy_(saved);
}

}  // namespace hearth
