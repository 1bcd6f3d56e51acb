// What a config says of a loss by its name and options alone: what its scores are, and whether it
// has parameters of its own.
#pragma once

#include <string>

#include "hearth/config/node.h"

namespace hearth {

// What becomes of the scores in prediction.
enum class ScoreKind : uint8_t {
  kClasses,  // softmax makes probabilities of them
  kAnswers,  // sigmoid does
  kValues    // they are numbers or points, as they are
};

// Of {name: options}. A loss that Hearth does not bring along is taken for a classifier's.
[[nodiscard]] ScoreKind score_kind(const Node& loss);
// The model that a loss brings along, which an update must name; empty for most.
[[nodiscard]] std::string own_model_of(const Node& loss);

// For each `sum` of named parts that a `loss` metric measures, its parts are measured too.
[[nodiscard]] Node with_parts_measured(Node config);

}  // namespace hearth
