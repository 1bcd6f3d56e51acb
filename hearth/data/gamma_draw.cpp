// Numbers from a Gamma distribution.
#include "hearth/data/gamma_draw.h"

#include <algorithm>
#include <cmath>

namespace hearth {

namespace {

// Never 0, whose logarithm there is none of.
double open_uniform(Random& random) { return (random.bits() + 0.5) / 4294967296.0; }

}  // namespace

double log_gamma_draw(Random& random, double shape) {
  const double boost = shape < 1 ? std::log(open_uniform(random)) / shape : 0;
  const double d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = random.normal();
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(open_uniform(random)) < 0.5 * x * x + d - d * v + d * std::log(v))
      return std::log(d * v) + boost;
  }
}

// Relative to the greatest, which the others cannot make vanish.
void draw_shares(Random& random, double alpha, std::span<double> shares) {
  for (double& share : shares) share = log_gamma_draw(random, alpha);
  const double greatest = *std::ranges::max_element(shares);
  double sum = 0;
  for (double& share : shares) sum += share = std::exp(share - greatest);
  for (double& share : shares) share /= sum;
}

}  // namespace hearth
