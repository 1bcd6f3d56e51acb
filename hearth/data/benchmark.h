// How fast the data side is by itself, with how many workers, and which op costs most.
#pragma once

#include <cstdint>
#include <optional>
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
  // A training step that takes this data, where there is a network.
  struct Training {
    double step_seconds = 0;
    double wait_seconds = 0;  // of it, for data
    double samples = 0;
  };
  // What to change, and how many times as fast training, or data alone, can become by it at most.
  struct Advice {
    std::string change;
    double gain = 1;
  };
  std::vector<Rate> rates;
  std::vector<Cost> costs;
  int64_t memory_bytes = 0;
  int workers = 0;          // that the config has
  double cached_share = 0;  // of the costs: what a cache would spare
  std::optional<Training> training = {};

  [[nodiscard]] const Cost& slowest() const;
  [[nodiscard]] const Rate& fastest() const;
  [[nodiscard]] std::vector<Advice> advice() const;  // the best first; none where nothing pays
  [[nodiscard]] std::string text() const;            // tables, and what to change
};

// Runs the epoch 0 of `plan_of` again and again, without a network behind it.
[[nodiscard]] PipelineBenchmark benchmark_pipeline(int64_t source_size,
                                                   const LoaderOptions& options,
                                                   const Loader::PlanOf& plan_of,
                                                   const BenchmarkOptions& how = {});

}  // namespace hearth
