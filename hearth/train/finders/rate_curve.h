// Losses over learning rates, and what they say: which rate to take, within which bounds, and why.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hearth {

struct RatePoint {
  double rate = 0;
  double loss = 0;    // of the first batch after a step with this rate
  double smooth = 0;  // the same without most of the noise
};

struct RateCurve {
  double first_loss = 0;          // before the first step
  std::vector<RatePoint> points;  // from the lowest rate on
  bool has_diverged = false;      // it ends where the loss left all bounds
};

struct RateBounds {
  double low = 0;
  double high = 0;
};

struct RateVerdict {
  std::optional<double> rate;        // none: `reason` says why
  std::optional<RateBounds> bounds;  // for a rate that goes up and down
  std::string reason;
  std::string advice;  // what to do next, where there is no rate or a better curve to be had
};

// Looks at losses as they come, and says when there is no more to be learned from higher rates.
class DivergenceWatch {
 public:
  // True from the loss on that is no finite number, or after losses far above the first ones.
  [[nodiscard]] bool sees(double loss);
  // What smooth losses above count as diverged; nothing before there are enough.
  [[nodiscard]] std::optional<double> limit() const;

 private:
  std::vector<double> losses_;
  double sum_ = 0;
  double share_ = 0;
  double best_ = 0;
};

// Fills in `smooth`: an exponential average from both sides, so that nothing moves to the right.
// `weight` is the share that a neighbour's average keeps.
void smooth_curve(RateCurve& curve, double weight);

// Of a smooth curve. The rate is where the loss falls fastest, over the logarithm of the rate.
[[nodiscard]] RateVerdict judge(const RateCurve& curve);

// A number of two digits, as people write learning rates.
[[nodiscard]] double two_digits(double value);
// The usual size of what a loss differs from its neighbours by.
[[nodiscard]] double noise_of(const std::vector<double>& losses);

}  // namespace hearth
