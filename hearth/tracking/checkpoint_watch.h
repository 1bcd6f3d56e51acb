// The checkpoints of a run, as they come while it trains in another process.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hearth/base/files.h"

namespace hearth {

struct NewCheckpoint {
  std::string name;  // without the ending
  int64_t step = 0;
};

class CheckpointWatch {
 public:
  explicit CheckpointWatch(fs::path folder) : folder_(std::move(folder)) {}
  // Those of steps that were not given before, or were written anew since, oldest first.
  [[nodiscard]] std::vector<NewCheckpoint> take_new();
  // Whether it can still be read.
  [[nodiscard]] bool has(const NewCheckpoint& checkpoint) const;

 private:
  fs::path folder_;  // need not be there yet
  std::map<std::string, FileStamp> given_;
};

}  // namespace hearth
