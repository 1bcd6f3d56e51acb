// Where the time of training goes: forward by timed calls, backward by the calls that made the
// autograd nodes. Layers and networks report to it while it is set; otherwise they only look at a
// pointer.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hearth {

// What calls of one name took, without the calls inside them.
struct TimeCosts {
  int64_t calls = 0;
  double forward_seconds = 0;
  double backward_seconds = 0;
  double multiply_adds = 0;           // of all forward calls
  double backward_multiply_adds = 0;  // that their gradients take
};

// One call, or one backward node of its making, as it ran.
struct TimeEvent {
  const TimeCosts* costs = nullptr;
  bool is_backward = false;
  double begin_seconds = 0;  // since the profile was made
  double seconds = 0;
};

// Listens to the backward pass of the thread that made it. One at a time per thread.
class TimeProfile {
 public:
  TimeProfile();
  ~TimeProfile();
  TimeProfile(const TimeProfile&) = delete;
  TimeProfile& operator=(const TimeProfile&) = delete;

  void enter(const std::string& name, double multiply_adds = 0, double backward_multiply_adds = 0);
  void leave();
  // Call it between batches: no autograd node made before will run again.
  void forget_nodes() { origins_.clear(); }

  [[nodiscard]] const std::map<std::string, TimeCosts>& costs() const { return costs_; }
  // All calls and nodes in the order in which they ended, as far as a million goes.
  [[nodiscard]] const std::vector<TimeEvent>& events() const { return events_; }
  // Between the nodes of a backward pass.
  [[nodiscard]] double autograd_seconds() const { return autograd_seconds_; }

  // For the callbacks of the backward pass.
  void enter_node(uint64_t sequence_number);
  void leave_node();

 private:
  using Clock = std::chrono::steady_clock;
  // A call or a node that runs.
  struct Frame {
    TimeCosts* costs = nullptr;
    bool is_backward = false;
    Clock::time_point begin;
    double inner_seconds = 0;  // that belong to others
    Clock::time_point last_node = {};
  };
  // Nodes made from this sequence number on belong to these costs.
  struct Origin {
    uint64_t sequence_number = 0;
    TimeCosts* costs = nullptr;
  };

  void finish(Clock::time_point now);
  void count_gap(Frame& frame, Clock::time_point now);
  [[nodiscard]] TimeCosts* maker_of(uint64_t sequence_number);

  std::map<std::string, TimeCosts> costs_;
  std::vector<Frame> frames_;
  std::vector<Origin> origins_;
  Clock::time_point made_ = Clock::now();
  std::vector<TimeEvent> events_;
  TimeCosts unknown_;  // nodes that no call made
  TimeCosts* last_maker_ = &unknown_;
  double autograd_seconds_ = 0;
  uint64_t callback_ = 0;
};

// Times the scope it stands in; without a profile it does nothing.
class ProfiledScope {
 public:
  template <class Enter>
  ProfiledScope(TimeProfile* profile, const Enter& enter) : profile_(profile) {
    if (profile_ != nullptr) enter(*profile_);
  }
  ~ProfiledScope() {
    if (profile_ != nullptr) profile_->leave();
  }
  ProfiledScope(const ProfiledScope&) = delete;
  ProfiledScope& operator=(const ProfiledScope&) = delete;

 private:
  TimeProfile* profile_;
};

}  // namespace hearth
