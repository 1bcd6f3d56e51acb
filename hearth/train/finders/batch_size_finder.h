// A batch size found by trying: which is fastest, which still fits into memory, and what another
// one means for the rest of the config.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hearth/core/spec.h"
#include "hearth/tracking/chart/chart.h"
#include "hearth/train/finders/finder.h"

namespace hearth {

struct BatchSizeSearch {
  std::optional<int64_t> from = {};  // left out: 8, or what the config has if that is less
  // Left out: sizes are doubled until two in a row are no faster, the data end, or memory does.
  std::optional<int64_t> to = {};
  double seconds = 1;                         // for each size
  std::optional<uint64_t> memory_bytes = {};  // left out: four fifths of what there is
};

struct BatchSizeRow {
  int64_t size = 0;
  bool fits = true;          // otherwise it was not tried, or was refused
  std::string refusal = {};  // why, where it was not for memory: an order may not take every size
  double samples_per_second = 0;
  double step_seconds = 0;
  double wait_share = 0;
  uint64_t memory_bytes = 0;  // of the process; of one that does not fit, as foreseen
  int64_t steps_per_epoch = 0;
};

// What is counted in steps, and lasts for other samples with another batch size.
struct StepTime {
  std::string path;  // "optimizer.adamw.lr.cosine.warmup"
  int64_t steps = 0;
  int64_t same_samples = 0;  // steps that last for as many samples with the suggested size
};

struct ScaledRate {
  std::string optimizer;  // its kind
  double configured = 0;
  double linear = 0;
  double square_root = 0;
  bool is_linear = false;     // which of them is the custom for this kind
  std::string override_text;  // with that one
};

struct BatchSizeFinding {
  std::vector<BatchSizeRow> rows;
  int64_t configured = 0;
  bool is_scheduled = false;  // the configured one is where a schedule starts
  int64_t batches_per_step = 1;
  std::optional<int64_t> suggestion;  // none: no size fits
  std::string reason;
  std::optional<int64_t> largest;  // that fits, by a line through what was measured
  uint64_t memory_limit = 0;
  int64_t epochs = 0;
  std::vector<StepTime> step_times;  // where the suggestion is another than the configured
  std::vector<ScaledRate> rates;
  double seconds = 0;
  bool was_interrupted = false;

  [[nodiscard]] std::vector<BatchSizeRow> fitting() const;
  // What to put into the config: the size, then what follows from it.
  [[nodiscard]] std::vector<std::string> overrides() const;
  [[nodiscard]] Chart chart() const;
  [[nodiscard]] Json to_json() const;
  [[nodiscard]] std::string text() const;
};

// Times differ from call to call, and from machine to machine.
[[nodiscard]] BatchSizeFinding find_batch_size(const FinderTarget& target,
                                               const BatchSizeSearch& search = {},
                                               const FinderSettings& settings = {});

// The smallest size that is nearly as fast as the fastest; for `find_batch_size`, and its tests.
void choose_batch_size(BatchSizeFinding& finding);
// Fills in what follows from the suggestion.
void add_consequences(const Node& config, BatchSizeFinding& finding);
// The memory that `size` would take, by the line through the last two rows; 0 when there are fewer.
[[nodiscard]] uint64_t foreseen_memory(const std::vector<BatchSizeRow>& rows, int64_t size);

}  // namespace hearth
