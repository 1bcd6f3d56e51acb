// What a run's data were when they were opened: computed once, beside the training.
#pragma once

#include <future>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hearth/core/spec.h"
#include "hearth/data/source.h"

namespace hearth {

class DataFingerprints {
 public:
  // Starts at once, on a thread of its own.
  explicit DataFingerprints(std::map<std::string, std::shared_ptr<Source>> sources);
  // Waits for them: {"train": "idx:sha256:...", "eval": ...}.
  [[nodiscard]] const Json& values() const { return values_.get(); }

 private:
  std::shared_future<Json> values_;
};

// One sentence for each source whose data are not those of before, or may not be.
[[nodiscard]] std::vector<std::string> data_differences(const Json& before, const Json& now);

}  // namespace hearth
