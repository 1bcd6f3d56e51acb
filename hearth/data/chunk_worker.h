// Makes a stretch of rows of a batch and deals with samples that fail.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "hearth/data/batch_finisher.h"
#include "hearth/data/host_batch.h"
#include "hearth/data/loader.h"
#include "hearth/data/order.h"
#include "hearth/data/sample_runner.h"

namespace hearth {

// What came of a chunk: at most one error, the one of its first row that failed.
struct ChunkResult {
  int64_t error_row = -1;
  std::exception_ptr error;
  std::vector<Replacement> replacements;
};

// One for each thread.
class ChunkWorker {
 public:
  ChunkWorker(const LoaderOptions& options, const std::atomic<bool>& is_cancelled)
      : options_(options), is_cancelled_(is_cancelled) {}

  // Fills rows [begin, end) of the buffer. Stops early, with rows left undone, when cancelled.
  [[nodiscard]] ChunkResult run(BatchBuffer& buffer, const EpochOrder& order, int64_t begin,
                                int64_t end);
  // Once all rows are made: those of failed samples go, batch ops run, the batch is filled up.
  [[nodiscard]] ChunkResult finish(BatchBuffer& buffer, const EpochOrder& order,
                                   std::vector<Replacement>& failed);

 private:
  void run_row(BatchBuffer& buffer, int64_t row, int64_t sample, ChunkResult& result);
  [[nodiscard]] std::string try_sample(BatchBuffer& buffer, int64_t row, int64_t sample);
  [[nodiscard]] bool can_stand_in(BatchBuffer& buffer, int64_t row, int64_t sample);
  void replace(BatchBuffer& buffer, int64_t row, int64_t sample, const std::string& reason,
               ChunkResult& result);
  // Whether a rank whose own rows all failed has one of another rank's now, which counts nothing.
  [[nodiscard]] bool goes_along(BatchBuffer& buffer, const EpochOrder& order,
                                std::span<const Replacement> failed);
  [[nodiscard]] std::string message(const BatchBuffer& buffer, int64_t sample,
                                    const std::string& what) const;

  const LoaderOptions& options_;
  const std::atomic<bool>& is_cancelled_;
  SampleRunner runner_;
  BatchFinisher finisher_;
};

}  // namespace hearth
