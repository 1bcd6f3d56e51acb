// The ranks of a run that make steps of what comes first: each asks the first rank what to compute,
// gives it what was found, and gets the step.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "hearth/cluster/group.h"
#include "hearth/network/step_ledger.h"

namespace hearth {

// The first rank keeps the ledger, and a thread for each of the others, so that nobody waits for
// what it computes itself.
class StepGathering {
 public:
  struct Options {
    int64_t slots = 1;
    int64_t aggregate = 1;
    int64_t backlog_bytes = 0;
  };
  // Null: this process has all parts of a batch.
  StepGathering(std::shared_ptr<Group> group, Options options);
  ~StepGathering();
  StepGathering(const StepGathering&) = delete;
  StepGathering& operator=(const StepGathering&) = delete;

  // A batch begins, of which the first `live` slots have samples: the slot to compute, or none when
  // the step is there. Then, with what was found of it, the next one.
  [[nodiscard]] std::optional<int64_t> begin(int64_t step, int64_t live);
  [[nodiscard]] std::optional<int64_t> give(TensorPacket found);
  // When there is no slot any more.
  [[nodiscard]] const GatheredStep& step() const { return *step_; }
  [[nodiscard]] bool has_step() const { return step_.has_value(); }

  // What goes with what this rank says next; what all said comes with every step.
  void tell(const RankNews& news) { news_ = news; }
  // All ranks have made the same steps and make no more for now.
  void finish();

  // On the first rank: see StepLedger.
  void replay(StepLedger::Records records);
  [[nodiscard]] bool is_replayed() const { return is_replayed_; }
  void count_from_here();
  [[nodiscard]] std::vector<int64_t> late();

 private:
  [[nodiscard]] bool is_first() const { return group_->is_first(); }
  [[nodiscard]] std::optional<int64_t> ask(std::optional<int64_t> slot, TensorPacket found);
  [[nodiscard]] std::optional<int64_t> ask_ledger(StepLedger::Ask ask);
  [[nodiscard]] std::optional<int64_t> ask_first(const StepLedger::Ask& ask);
  void serve_all();
  void serve(int rank, const std::stop_token& stop);

  std::shared_ptr<Group> group_;
  StepLedger ledger_;  // the first rank's counts
  int64_t round_ = -1;
  int64_t training_step_ = 0;
  int64_t live_ = 0;
  bool is_open_ = false;     // a step was asked for since the last `finish`
  bool has_waited_ = false;  // in this round
  bool is_replayed_ = false;
  std::optional<int64_t> slot_;
  RankNews news_;
  std::optional<GatheredStep> step_;
  std::vector<std::jthread> clerks_;  // of the first rank, one for each of the others
};

}  // namespace hearth
