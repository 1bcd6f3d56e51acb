// What an optimizer remembers of each parameter, kept and saved by the parameter's name.
#include "hearth/optim/optimizer_memory.h"

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
      // The parameter is not packed; what was last updated with it may be.
      state.tensors.emplace_back(
          slots_[slot].name + "/" + name,
          slots_[slot].has_own_shape ? tensor : tensor.reshape(parameters[i].second.sizes()));
    }
  }
  return state;
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
    at(optimizer_index(parameters, name)).numbers = values.get<std::vector<double>>();
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
  const at::Tensor& parameter = parameters[index].second;
  at::Tensor& restored = at(index).slots[slot];
  if (slots_[slot].has_own_shape) {
    restored = saved.to(parameter.device(), parameter.scalar_type(), false, /*copy=*/true);
    return;
  }
  check_slot(name, saved, parameter);
  // In the order in memory that the parameter has, as when it was made.
  restored = at::empty_like(parameter.detach()).copy_(saved);
}

}  // namespace hearth
