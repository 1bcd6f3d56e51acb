// Which of several training sets an epoch uses: data.windows says so, for whole epochs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/place.h"
#include "hearth/experiment/graph_component.h"
#include "hearth/train/data_set.h"

namespace hearth {

// A window of data.windows, as nodes have theirs.
[[nodiscard]] NodeWindow node_window(const SetWindow& window);

class TrainingSets {
 public:
  // `config` is what the options were read from: errors take their places from it.
  TrainingSets(const DataOptions& data, const Node& config);

  // Windows that are a share of the run are that share of its epochs: of its steps nobody knows the
  // number before the sets are chosen.
  void set_epochs(int64_t epochs);
  // Whether time has a say at all.
  [[nodiscard]] bool are_timed() const;
  [[nodiscard]] const std::vector<DataSet>& all() const { return sets_; }
  // The set of the epoch that starts at that moment: the first that is open, the last when none is.
  [[nodiscard]] const DataSet& at(const Moment& start) const;
  // ConfigError unless exactly one set is open as each epoch starts.
  void check(const TrainingLength& length) const;
  // Epochs from which on another set may be used, beside those that windows repeat.
  [[nodiscard]] std::vector<int64_t> changes(const TrainingLength& length) const;
  [[nodiscard]] std::vector<NodeWindow> windows() const { return windows_; }

 private:
  [[nodiscard]] bool is_open(size_t set, const Moment& start) const;
  void check_epoch(const Moment& start) const;
  [[noreturn]] void throw_none(int64_t epoch) const;
  [[noreturn]] void throw_both(size_t first, size_t second, int64_t epoch) const;

  std::vector<DataSet> sets_;
  std::vector<NodeWindow> given_;    // of each set
  std::vector<NodeWindow> windows_;  // the same, with shares of the run counted in epochs
  std::vector<Mark> marks_;          // of the window, or of the set when it has none
  Mark windows_mark_;
  int64_t epochs_ = 1;
};

}  // namespace hearth
