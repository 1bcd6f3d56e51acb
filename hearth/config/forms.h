// The two forms of an experiment: the shorthand for one supervised model, and the full form.
#pragma once

#include <array>

namespace hearth {

inline constexpr std::array kShorthand = {"model",   "loss",  "optimizer", "weights",
                                          "average", "edits", "defaults",  "groups",
                                          "decay",   "place", "input",     "target"};
inline constexpr std::array kShorthandNeeds = {"model", "optimizer"};
inline constexpr std::array kFullForm = {"models", "network"};

}  // namespace hearth
