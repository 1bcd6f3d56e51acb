// Runs a plan's batch ops on a batch whose samples are made: one for each thread.
#pragma once

#include <cstdint>
#include <vector>

#include "hearth/data/host_batch.h"

namespace hearth {

class BatchFinisher {
 public:
  // DataError names the batch and the op that failed.
  void run(BatchBuffer& buffer, uint64_t seed, const std::string& loader);

 private:
  void run_step(const DataStep& step, BatchBuffer& buffer, uint64_t seed);
  std::vector<BatchView> inputs_;
  std::vector<BatchCell> outputs_;
};

}  // namespace hearth
