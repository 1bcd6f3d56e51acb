// How fast the data side is by itself, with how many workers, and which op costs most.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/data/loader.h"

namespace hearth {

struct BenchmarkOptions {
  int most_workers = 2;           // measured from 0 to here
  double seconds_per_row = 0.25;  // of the table of workers
  int64_t profiled_samples = 2000;
};

struct PipelineBenchmark {
  struct Rate {
    int workers = 0;
    double samples_per_second = 0;
  };
  struct Cost {
    std::string name;        // "source" or an op's name
    double nanoseconds = 0;  // a sample
    double share = 0;        // of the whole
  };
  std::vector<Rate> rates;
  std::vector<Cost> costs;
  int64_t memory_bytes = 0;

  [[nodiscard]] const Cost& slowest() const;
  [[nodiscard]] std::string text() const;  // a table and a verdict
};

// Runs the epoch 0 of `plan_of` again and again, without a network behind it.
[[nodiscard]] PipelineBenchmark benchmark_pipeline(int64_t source_size,
                                                   const LoaderOptions& options,
                                                   const Loader::PlanOf& plan_of,
                                                   const BenchmarkOptions& how = {});

}  // namespace hearth
