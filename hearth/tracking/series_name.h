// What the numbers of a run log are called outside of it: as traces monitor them.
#pragma once

#include <string>

namespace hearth {

// "step/loss" and "lr/net" of a step, "train/loss" of an epoch, "eval/accuracy" of an evaluation.
[[nodiscard]] std::string series_name(const std::string& event_kind, const std::string& value);

}  // namespace hearth
