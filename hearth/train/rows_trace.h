// What traces share that look at rows of samples: the first ones of each evaluation, so that looks
// at different times compare, or with `when: train` those of an epoch's last batch. For people who
// write one.
#pragma once

#include "hearth/train/first_rows.h"
#include "hearth/train/trace.h"

namespace hearth {

class RowsTrace : public Trace {
 public:
  [[nodiscard]] std::vector<Interest> interests() const override;
  void hear(const Happening& happening, RunControl& run) override;

  // An evaluation begins anew after a resume, so that nothing of one is kept.
  [[nodiscard]] Json state() const override { return training_.state(); }
  void restore(const Json& state) override { training_.restore(state); }
  [[nodiscard]] std::vector<NamedTensor> tensors() const override { return training_.tensors(); }
  void restore_tensors(const State& state) override { training_.restore_tensors(state); }

 protected:
  RowsTrace(int64_t count, Time interval)
      : interval_(interval), training_(count), evaluation_(count) {}
  // At the end of an evaluation or an epoch that had rows.
  virtual void show(const Happening& happening, const FirstRows& rows, RunControl& run) const = 0;

 private:
  Time interval_;
  FirstRows training_;
  FirstRows evaluation_;
};

}  // namespace hearth
