// What an optimizer remembers of each parameter, kept and saved by the parameter's name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/tensor/state.h"

namespace hearth {

// A tensor that is remembered of each parameter, such as "momentum_buffer".
struct OptimizerSlot {
  OptimizerSlot(const char* given, bool is_free = false)  // NOLINT: implicit, most are but names
      : name(given), has_own_shape(is_free) {}
  std::string name;
  bool has_own_shape;  // else it has the parameter's
};

class OptimizerMemory {
 public:
  struct Entry {
    int64_t steps = 0;              // updates it has had
    std::vector<at::Tensor> slots;  // one a name, such as a momentum; undefined until it is needed
    std::vector<double> numbers;    // such as a product over all steps; empty until it is needed
  };
  explicit OptimizerMemory(std::vector<OptimizerSlot> slots) : slots_(std::move(slots)) {}
  // One more tensor of each parameter, behind the others.
  void add_slot(const OptimizerSlot& slot) { slots_.push_back(slot); }
  [[nodiscard]] const std::vector<OptimizerSlot>& slots() const { return slots_; }
  // The number of slots when there is none of that name.
  [[nodiscard]] size_t find_slot(const std::string& name) const;
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
  std::vector<OptimizerSlot> slots_;
  std::vector<Entry> entries_;
};

}  // namespace hearth
