// What later bits depend on, in a form a checkpoint can hold: tensors by name and plain values.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>
#include <nlohmann/json.hpp>

#include "hearth/core/spec.h"

namespace hearth {

using NamedTensor = std::pair<std::string, at::Tensor>;

struct State {
  std::vector<NamedTensor> tensors;
  Json values = Json::object();

  // Adds another part's state under `prefix/`; `part` takes it out again.
  void add(const std::string& prefix, const State& state);
  [[nodiscard]] State part(const std::string& prefix) const;
  // DataError when it is not there.
  [[nodiscard]] const at::Tensor& tensor(const std::string& name) const;
};

// The same state in memory of its own, for warm-up and for writing in the background.
[[nodiscard]] State copy(const State& state);
// Copies `from` into the storage of `into`; DataError names tensors that are missing, unexpected or
// of another shape or dtype, all of them at once. `what` says whose tensors these are.
void copy_into(const std::vector<NamedTensor>& into, const std::vector<NamedTensor>& from,
               const std::string& what);

}  // namespace hearth
