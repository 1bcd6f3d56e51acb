// The plans of a training, by what time switches on: each is compiled once, and picked per batch.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hearth/train/experiment_graph.h"

namespace hearth {

class PlanBook {
 public:
  // For a training whose length is fixed by now.
  PlanBook(ExperimentGraph& experiment, DataSet set);
  // The plan for a batch of that moment. The same one as long as nothing is switched.
  [[nodiscard]] const std::shared_ptr<const CompiledPlan>& at(const Moment& moment);

 private:
  struct Page {
    std::string options;     // of the epoch
    std::vector<bool> open;  // which components are on
    std::shared_ptr<const CompiledPlan> plan;
  };
  [[nodiscard]] const std::string& options_of(const Moment& moment);
  [[nodiscard]] bool is_on(const Page& page, const std::string& options) const {
    return page.open == open_ && page.options == options;
  }

  ExperimentGraph& experiment_;
  DataSet set_;
  bool is_timed_;
  bool changes_with_epochs_;
  std::vector<Page> pages_;                 // the newest last
  std::vector<bool> open_;                  // of the moment asked for; kept for its memory
  std::map<int64_t, std::string> options_;  // by epoch
};

}  // namespace hearth
