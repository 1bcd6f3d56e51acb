// A tracker: brings what a run's log says to other programs, while the run trains and afterwards.
#pragma once

#include <filesystem>

#include "hearth/config/choice.h"
#include "hearth/core/event.h"

namespace hearth {

// Works beside the training, on a thread of its own, and knows only the run's folder. What it
// throws is told to people and never costs the training; it is then begun anew.
class Tracker {
 public:
  virtual ~Tracker() = default;
  // The first event of the log follows. Also when the log was cut, or something failed: what it
  // wrote before is void then, and everything comes again.
  virtual void begin(const std::filesystem::path& run) = 0;
  virtual void take(const Event& event) = 0;
  // That is all for now: others may want to read it.
  virtual void flush() = 0;
  // The training has ended, for now at least: what was taken must outlast a power loss. More may
  // follow when it goes on.
  virtual void settle() = 0;
};

}  // namespace hearth
