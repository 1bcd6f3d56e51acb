// What an optimizer remembers of each parameter, kept and saved by the parameter's name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/tensor/state.h"

namespace hearth {

class OptimizerMemory {
 public:
  struct Entry {
    int64_t steps = 0;              // updates it has had
    std::vector<at::Tensor> slots;  // one a name, such as a momentum; undefined until it is needed
  };
  explicit OptimizerMemory(std::vector<std::string> slots) : slots_(std::move(slots)) {}
  // One more tensor of each parameter, behind the others.
  void add_slot(std::string name) { slots_.push_back(std::move(name)); }
  // Of the parameter at `index` in the order they were attached.
  [[nodiscard]] Entry& at(size_t index);
  // Null for a parameter without memory.
  [[nodiscard]] const Entry* find(size_t index) const {
    return index < entries_.size() ? &entries_[index] : nullptr;
  }
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

}  // namespace hearth
