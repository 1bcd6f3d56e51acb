// Samples of a set, one after another, through some of its ops: for those who look at data.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/config/mode.h"
#include "hearth/config/time.h"
#include "hearth/data/data_plan.h"

namespace hearth {

struct WalkRequest {
  std::shared_ptr<const Source> source;  // opened
  std::vector<Choice<SampleOp>> ops = {};
  Mode mode = Mode::kTrain;
  Moment moment = {};
  int64_t samples = 0;  // at most; those of a larger source are spread over all of it
  int workers = 0;
  uint64_t seed = 0;
};

// A sample that cannot be read, or that an op refuses.
struct BrokenSample {
  int64_t sample = 0;
  std::string name;
  std::string reason;
};

class SampleWalk {
 public:
  // GraphError when the ops do not fit what the source yields.
  explicit SampleWalk(WalkRequest request);

  // Every key, as the last op that writes it leaves it.
  [[nodiscard]] const std::vector<KeySpec>& keys() const { return keys_; }
  [[nodiscard]] int64_t samples() const { return samples_; }

  // A value for each of keys().
  using Visit = std::function<void(int64_t sample, std::span<const View> values)>;
  using Progress = std::function<void(int64_t done, int64_t all)>;
  // In order; the broken ones are left out and listed.
  [[nodiscard]] std::vector<BrokenSample> visit(const Visit& visit,
                                                const Progress& progress = {}) const;

 private:
  void compile_plan();

  WalkRequest request_;
  int64_t samples_ = 0;
  std::vector<KeySpec> keys_;
  std::vector<int> values_;  // of the plan, for each of keys_
  std::shared_ptr<const DataPlan> plan_;
};

}  // namespace hearth
