// How much each process had part in steps that are made of what came first.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hearth/network/step_ledger.h"

namespace hearth {

class LeftOut {
 public:
  void add(const GatheredStep& step, size_t ranks);
  // Gradients that came too late since the process began, after the last step too.
  void set_late_at_end(std::vector<int64_t> late) { late_at_end_ = std::move(late); }
  // Steps that a rank had no part in, of each rank and of all.
  [[nodiscard]] const std::vector<int64_t>& missed() const { return missed_; }
  [[nodiscard]] int64_t missed_by_all() const;
  // Gradients of each rank that came too late, as far as the last step knows.
  [[nodiscard]] std::vector<int64_t> dropped() const { return with_before(late_); }

  // "rank 2 had no part in 120 of 400 steps (too late and dropped: 80, not computed: 40)".
  [[nodiscard]] std::string text() const;
  [[nodiscard]] Json state() const;
  void restore(const Json& state);
  // As `state`, at the end.
  [[nodiscard]] Json summary() const;

 private:
  [[nodiscard]] std::vector<int64_t> with_before(const std::vector<int64_t>& late) const;

  int64_t steps_ = 0;
  std::vector<int64_t> missed_;
  std::vector<int64_t> late_before_;  // of processes before this one
  std::vector<int64_t> late_;
  std::vector<int64_t> late_at_end_;  // empty: nothing more is known
};

}  // namespace hearth
