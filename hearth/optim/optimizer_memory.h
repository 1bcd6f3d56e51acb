// What an optimizer remembers of each parameter, kept and saved by the parameter's name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/optim/parameter_shares.h"
#include "hearth/tensor/state.h"

namespace hearth {

// A tensor that is remembered of each parameter, such as "momentum_buffer".
struct OptimizerSlot {
  OptimizerSlot(const char* given, bool is_free = false)  // NOLINT: implicit, most are but names
      : name(given), has_own_shape(is_free) {}
  std::string name;
  bool has_own_shape;             // else it has the parameter's
  bool is_on_every_rank = false;  // also where processes share out what is remembered
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
  // Before anything is remembered: tensors are those of a share of the parameters' values, in one
  // row where a parameter is cut.
  void set_shares(ParameterShares shares) { shares_ = std::move(shares); }
  [[nodiscard]] const ParameterShares& shares() const { return shares_; }

  // With shares: what is remembered here.
  [[nodiscard]] State state(const std::vector<NamedTensor>& parameters) const;
  // With shares: what every process has; without: all.
  [[nodiscard]] State common_state(const std::vector<NamedTensor>& parameters) const;
  // With shares: what one process that has everything would remember, of everybody's states.
  [[nodiscard]] State whole_state(const std::vector<NamedTensor>& parameters,
                                  const std::vector<State>& of_ranks) const;
  // Forgets what is not in `state`; DataError for tensors that belong to no parameter or do not
  // fit. With shares both a whole state and one of this share fit.
  void restore(const State& state, const std::vector<NamedTensor>& parameters);
  // Of the tensors that are remembered here; the average that all have is not counted.
  [[nodiscard]] int64_t shared_bytes() const;

 private:
  void restore_slot(const std::string& name, const at::Tensor& saved,
                    const std::vector<NamedTensor>& parameters);
  [[nodiscard]] at::Tensor whole_slot(size_t slot, size_t index, const NamedTensor& parameter,
                                      const std::vector<State>& of_ranks) const;
  ParameterShares shares_;
  std::vector<OptimizerSlot> slots_;
  std::vector<Entry> entries_;
};

}  // namespace hearth
