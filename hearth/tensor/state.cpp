// State: tensors by name and plain values, nested by prefix.
#include "hearth/tensor/state.h"

#include <c10/core/GradMode.h>

#include <map>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/tensor/convert.h"

namespace hearth {
namespace {

// "model/net" nests values as {"model": {"net": ...}}, so that parts of parts work.
Json::json_pointer state_pointer(const std::string& prefix) {
  Json::json_pointer pointer;
  for (const std::string& word : split(prefix, '/')) pointer.push_back(word);
  return pointer;
}

std::string mismatch_of(const NamedTensor& into, const at::Tensor& from) {
  if (into.second.sizes() == from.sizes() && into.second.scalar_type() == from.scalar_type()) {
    return {};
  }
  return "'" + into.first + "' is " + describe(from) + ", expected " + describe(into.second);
}

std::vector<std::string> state_mismatches(const std::vector<NamedTensor>& into,
                                          std::map<std::string, at::Tensor> given) {
  std::vector<std::string> faults;
  for (const NamedTensor& target : into) {
    const auto found = given.find(target.first);
    if (found == given.end()) {
      faults.push_back("'" + target.first + "' is missing");
      continue;
    }
    if (std::string fault = mismatch_of(target, found->second); !fault.empty()) {
      faults.push_back(std::move(fault));
    }
    given.erase(found);
  }
  for (const auto& [name, tensor] : given) faults.push_back("'" + name + "' is unexpected");
  return faults;
}

}  // namespace

void State::add(const std::string& prefix, const State& state) {
  for (const auto& [name, tensor] : state.tensors)
    tensors.emplace_back(prefix + "/" + name, tensor);
  if (!state.values.empty()) values[state_pointer(prefix)] = state.values;
}

State State::part(const std::string& prefix) const {
  State part;
  const std::string start = prefix + "/";
  for (const auto& [name, tensor] : tensors) {
    if (name.starts_with(start)) part.tensors.emplace_back(name.substr(start.size()), tensor);
  }
  const auto pointer = state_pointer(prefix);
  if (values.contains(pointer)) part.values = values.at(pointer);
  return part;
}

const at::Tensor& State::tensor(const std::string& name) const {
  std::vector<std::string> names;
  for (const NamedTensor& known : tensors) {
    if (known.first == name) return known.second;
    names.push_back(known.first);
  }
  throw DataError("The state has no tensor '" + name + "'." + did_you_mean(name, names));
}

State copy(const State& state) {
  const c10::AutoGradMode no_grad(false);
  State copied;
  copied.values = state.values;
  for (const auto& [name, tensor] : state.tensors) {
    copied.tensors.emplace_back(name, tensor.detach().clone());
  }
  return copied;
}

void copy_into(const std::vector<NamedTensor>& into, const std::vector<NamedTensor>& from,
               const std::string& what) {
  const std::map<std::string, at::Tensor> given(from.begin(), from.end());
  const std::vector<std::string> faults = state_mismatches(into, given);
  if (!faults.empty()) {
    throw DataError(what + ": the saved tensors do not fit: " + join(faults, "; ") +
                    ". Use the config the tensors were saved with.");
  }
  const c10::AutoGradMode no_grad(false);
  for (const NamedTensor& target : into) target.second.copy_(given.at(target.first));
}

}  // namespace hearth
