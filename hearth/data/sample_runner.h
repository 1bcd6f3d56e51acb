// Runs a data plan for one sample after another: one runner per thread, with that thread's scratch.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hearth/data/data_plan.h"
#include "hearth/data/host_batch.h"

namespace hearth {

class SampleRunner {
 public:
  // Prepares for the batch of a buffer; allocates only when the plan needs more than any before.
  void bind(BatchBuffer& buffer);

  // Reads `sample` and runs every op, the last of which writes into the batch's `row`. `stage`
  // tells afterwards how far it came, also when an op throws.
  void run(int64_t row, int64_t sample, uint64_t seed);

  // The parts of `run`, for those who measure them.
  void read(int64_t row, int64_t sample);
  void run_step(size_t step, int64_t row, int64_t sample, uint64_t seed);

  // "source" or "op 'normalize'": what ran last.
  [[nodiscard]] std::string stage() const;

 private:
  // What the epoch does not change: from the cache, or made and put there. Returns the step after.
  [[nodiscard]] size_t run_fixed_part(int64_t row, int64_t sample, uint64_t seed);
  [[nodiscard]] Cell cell(const ValuePlace& place, const Spec& spec, int64_t row);

  BatchBuffer* buffer_ = nullptr;
  const DataPlan* plan_ = nullptr;
  std::vector<std::byte> scratch_;
  std::byte* scratch_start_ = nullptr;
  std::vector<RaggedValue> ragged_;
  std::vector<Cell> source_cells_;
  std::vector<Cell> fixed_cells_;
  std::vector<View> inputs_;
  std::vector<Cell> outputs_;
  int stage_ = -1;
};

}  // namespace hearth
