// How a config's data options become a loader's.
#include "hearth/pipeline/data_loading.h"

#include <algorithm>

#include "hearth/base/cores.h"

namespace hearth {

namespace {

constexpr int kMostSmallBatchesAhead = 16;

// A sample that nobody measures is none: only training may leave some out.
LastBatch last_batch_of(const DataOptions& data, bool is_training) {
  if (data.last_batch == "pad") return LastBatch::kPad;
  const bool is_dropped = data.drop_last || data.last_batch == "drop";
  return is_training && is_dropped ? LastBatch::kDrop : LastBatch::kKeep;
}

OnError on_error_of(const DataOptions& data) {
  if (data.on_error == "mask") return OnError::kMask;
  return data.on_error == "replace" ? OnError::kReplace : OnError::kRaise;
}

}  // namespace

int automatic_workers(std::optional<int64_t> compute_threads) {
  const int cores = available_cores();
  const auto idle = cores - compute_threads.value_or(cores);
  return static_cast<int>(std::clamp<int64_t>(std::max<int64_t>(cores / 2 - 1, idle), 0, 8));
}

int most_automatic_workers() { return std::clamp(available_cores() - 1, 0, 16); }

LoaderOptions loader_options_of(const DataOptions& data, Mode mode, uint64_t seed,
                                std::optional<int64_t> compute_threads) {
  const bool is_training = mode == Mode::kTrain;
  LoaderOptions options;
  options.name = std::string(name(mode));
  options.workers = static_cast<int>(data.workers.value_or(automatic_workers(compute_threads)));
  if (!data.workers) options.most_workers = most_automatic_workers();
  options.depth = static_cast<int>(data.depth);
  options.most_depth = kMostSmallBatchesAhead;
  options.seed = seed;
  options.shuffle = is_training && data.shuffle;
  options.last_batch = last_batch_of(data, is_training);
  options.on_error = on_error_of(data);
  options.most_bytes_per_value = data.value_megabytes << 20U;
  return options;
}

}  // namespace hearth
