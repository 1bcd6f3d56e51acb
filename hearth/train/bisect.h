// Where two runs part: the first step whose bits differ, and the first op in it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "hearth/core/run_comparison.h"
#include "hearth/train/estimator.h"

namespace hearth {

struct Parting {
  int64_t step = 0;   // the first that differs, from 1
  std::string what;   // "network[0] call writes another 'logits'", "the data give another 'image'"
  std::string layer;  // the first of the model's layers that gave something else; or nothing
};

struct Bisection {
  RunComparison folders;
  bool was_played = false;         // both were run again, here
  int64_t from = 0;                // the step both were taken up at
  int64_t to = 0;                  // the last that was compared
  std::optional<Parting> parting;  // nothing when they go the same way here

  [[nodiscard]] Json to_json() const;
  [[nodiscard]] std::string text() const;
};

// Plays both from their newest checkpoints before the first difference that their folders show,
// step by step, and compares the bits of all values. With nothing to look for, nothing is played.
[[nodiscard]] Bisection bisect_runs(const std::filesystem::path& first,
                                    const std::filesystem::path& second,
                                    const EstimatorSettings& settings = {});

}  // namespace hearth
