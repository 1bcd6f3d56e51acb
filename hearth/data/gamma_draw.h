// Numbers from a Gamma distribution, from which shares that sum to 1 are made.
#pragma once

#include <span>

#include "hearth/core/random.h"

namespace hearth {

// log of a number drawn from Gamma(shape, 1), by the method of Marsaglia and Tsang. The logarithm
// stays finite where a small shape draws numbers below the smallest double.
[[nodiscard]] double log_gamma_draw(Random& random, double shape);
// Shares that sum to 1, drawn from a Dirichlet distribution whose parameters are all `alpha`.
void draw_shares(Random& random, double alpha, std::span<double> shares);

}  // namespace hearth
