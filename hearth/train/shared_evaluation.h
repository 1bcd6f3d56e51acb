// An evaluation that the ranks of a run share: each computes some of the batches, and all measure
// what all of them found, batch by batch in order, so that the numbers are those of one process.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <ATen/core/Tensor.h>

namespace hearth {

class Group;
struct CompiledPlan;

class SharedEvaluation {
 public:
  SharedEvaluation(Group& group, int64_t batches);

  // Whether what metrics read of so many samples can be sent: its size is known, and small beside
  // the work. The same answer on all ranks.
  [[nodiscard]] static bool can_send(const CompiledPlan& compiled, int64_t batches,
                                     int64_t samples);

  // The batches of this rank, and the most that any has.
  [[nodiscard]] int64_t first() const { return first_of(rank_); }
  [[nodiscard]] int64_t count() const { return first_of(rank_ + 1) - first_of(rank_); }
  [[nodiscard]] int64_t rounds() const { return (batches_ + ranks_ - 1) / ranks_; }

  // What metrics read of the next of them; a copy is kept.
  void keep(const std::vector<at::Tensor>& values);
  // Calls use(values) for every batch of all ranks, in order. All ranks ask together.
  void replay(const std::function<void(const std::vector<at::Tensor>&)>& use);

 private:
  [[nodiscard]] int64_t first_of(int64_t rank) const { return batches_ * rank / ranks_; }

  Group& group_;
  int64_t batches_;
  int64_t rank_;
  int64_t ranks_;
  std::vector<at::Tensor> kept_;  // a packet's bytes for each batch
};

}  // namespace hearth
