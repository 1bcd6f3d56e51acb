// Where the time of a training step goes: what `hearth train --profile` shows. No LibTorch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/core/spec.h"

namespace hearth {

// One layer, network op, or other thing a step does; times are a step's, without what has a row of
// its own.
struct ProfileRow {
  std::string name;  // "net.features.0", "network[1] cross_entropy", "waiting for data"
  double forward_seconds = 0;
  double backward_seconds = 0;
  double share = 0;               // of the step
  double forward_gigaflops = 0;   // a second; 0 where no work is counted
  double backward_gigaflops = 0;  // a second, of the gradients that are wanted
  double share_of_peak = 0;       // both passes, of what the machine does at most
  bool is_fused = false;          // takes no time: the layer before it computes it along

  [[nodiscard]] double seconds() const { return forward_seconds + backward_seconds; }
};

// When the gradients of a layer's own parameters are there, counted from the begin of the backward
// pass.
struct GradientReady {
  std::string layer;  // its path
  double seconds = 0;
};

struct ProfileReport {
  int64_t steps = 0;  // measured
  int64_t threads = 0;
  double samples_per_step = 0;
  double step_seconds = 0;
  double gigaflops = 0;          // a second, of the whole step
  double peak_gigaflops = 0;     // measured on all threads; 0 when it is not known
  std::vector<ProfileRow> rows;  // most time first; together they are the step

  double backward_seconds = 0;            // of one pass, from its first gradient to its last
  std::vector<GradientReady> ready = {};  // in the order in which they are there

  std::string chrome_trace = {};        // every call in time, for chrome://tracing or Perfetto
  std::vector<std::string> notes = {};  // what makes it slower than it could be

  [[nodiscard]] std::string text() const;
  [[nodiscard]] Json to_json() const;
};

}  // namespace hearth
