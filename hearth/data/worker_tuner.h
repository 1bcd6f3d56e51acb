// How many workers make batches, found while they do: more while the consumer waits, fewer when
// that gained nothing. A pure function of the times it is told; batches never depend on it.
#pragma once

namespace hearth {

class WorkerTuner {
 public:
  WorkerTuner(int start, int most) : active_(start), most_(most) {}

  // After each batch: how long the consumer was kept from its own work, and how long it was since
  // the batch before. Returns whether the number of workers changed.
  bool note(double waited_seconds, double whole_seconds);
  [[nodiscard]] int active() const { return active_; }
  // Of the time so far.
  [[nodiscard]] double wait_share() const;
  [[nodiscard]] double waited_seconds() const { return all_waited_; }

 private:
  [[nodiscard]] bool decide(double waited, double whole);

  int active_;
  int most_;
  int batches_ = 0;  // of the stretch that is measured
  double waited_ = 0;
  double whole_ = 0;
  double before_ = 0;  // seconds of a batch before the last worker was added; 0: none is on trial
  int rest_ = 0;       // stretches without a further trial
  double all_waited_ = 0;
  double all_whole_ = 0;
};

}  // namespace hearth
