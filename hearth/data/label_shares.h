// Labels as a share for each class, for batch ops that blend samples.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "hearth/core/random.h"
#include "hearth/data/batch_op.h"

namespace hearth {

// The spec of a label's shares; GraphError, with the op's name, when the key is no label.
[[nodiscard]] Spec shares_spec(const Spec& label, const std::string& op, const std::string& key);

// Row i becomes share * row i + (1 - share) * row n - 1 - i. Pairs from both ends meet in the
// middle, so that no copy is needed; a middle row stays.
void blend_pairs(std::span<float> values, int64_t rows, float share);

// Class numbers, or shares in the same memory, blended as rows are. DataError for a number that is
// no class.
void blend_labels(const BatchView& labels, const BatchView& shares, float share);

// Drawn from Beta(alpha, alpha).
[[nodiscard]] double beta_draw(Random& random, double alpha);

}  // namespace hearth
