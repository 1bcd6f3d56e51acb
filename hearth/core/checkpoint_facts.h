// What a checkpoint says of itself, read without its tensors.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hearth/base/files.h"
#include "hearth/core/spec.h"

namespace hearth {

struct CheckpointFacts {
  fs::path path;
  std::string name;   // "step-00000120", "best"
  std::string fault;  // why it cannot be read; the rest is empty then
  uint64_t bytes = 0;
  int64_t epochs = 0;   // done
  int64_t batches = 0;  // of the epoch that is not
  int64_t step = 0;
  int64_t target_epochs = 0;
  std::map<std::string, double> metrics;
  std::string stop_reason;
  Json values;  // all that lies beside the tensors
  size_t tensors = 0;

  // "step 120, 2 of 40 epochs and 28 batches"
  [[nodiscard]] std::string place() const;
};

// DataError when the file is no checkpoint, or one of another shape. Bytes are not verified.
[[nodiscard]] CheckpointFacts checkpoint_facts(const fs::path& path);
// Of all in a run's folder, those of steps first, newest first; one that cannot be read says why.
// DataError when it has no checkpoints' folder.
[[nodiscard]] std::vector<CheckpointFacts> checkpoints_of(const fs::path& run);
// Why the file cannot be used, read whole: changed bytes, another kind of file, no position.
// Nothing when it can.
[[nodiscard]] std::string checkpoint_fault(const fs::path& path);

}  // namespace hearth
