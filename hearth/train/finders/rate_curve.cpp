// What losses over learning rates say.
#include "hearth/train/finders/rate_curve.h"

#include <algorithm>
#include <cmath>

#include "hearth/base/text.h"
#include "hearth/tracking/series.h"

namespace hearth {
namespace {

constexpr size_t kFirst = 5;          // losses that say where it starts
constexpr double kWatchWeight = 0.9;  // of the average that is watched
// How far above the first losses is diverged: shares of the fall so far and of the first loss, and
// multiples of the noise.
constexpr double kRiseOfFall = 0.5;
constexpr double kRiseOfLoss = 0.25;
constexpr double kRiseOfNoise = 6;
constexpr double kLeastFallOfNoise = 2;
constexpr double kLeastFallOfLoss = 1e-6;
constexpr size_t kFewestPoints = 10;
// Shares of the fall at the bounds: learning has begun, and is not yet unsettled.
constexpr double kFallAtLow = 0.1;
constexpr double kFallAtHigh = 0.9;

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The middle one of the first, unless they rise at once.
double start_of(const std::vector<double>& losses) {
  const size_t count = std::min(kFirst, losses.size());
  const std::vector<double> first(losses.begin(),
                                  losses.begin() + static_cast<std::ptrdiff_t>(count));
  return std::is_sorted(first.begin(), first.end()) ? first.front() : median(first);
}

double rise_of(double start, double best, double noise) {
  return std::max(
      {kRiseOfFall * (start - best), kRiseOfLoss * std::abs(start), kRiseOfNoise * noise});
}

std::string rate_text(double rate) { return shortest_number(two_digits(rate)); }
std::string loss_text(double loss) { return rounded_number(loss, 4); }

// What the verdict is made of.
class CurveReader {
 public:
  explicit CurveReader(const RateCurve& curve) : curve_(curve), points_(curve.points) {
    std::vector<double> losses = {curve.first_loss};
    for (const RatePoint& point : points_) losses.push_back(point.loss);
    start_ = start_of(losses);
    std::erase_if(losses, [](double loss) { return !std::isfinite(loss); });
    noise_ = noise_of(losses);
    lowest_ = 0;
    for (size_t i = 0; i < points_.size() && std::isfinite(points_[i].smooth); ++i) {
      ++usable_;
      if (points_[i].smooth < points_[lowest_].smooth) lowest_ = i;
    }
    window_ = std::max<size_t>(2, points_.size() / 20);
  }

  RateVerdict verdict() {
    if (const auto refused = unusable()) return *refused;
    steepest_ = steepest();
    if (const auto refused = at_edge()) return *refused;
    RateVerdict verdict;
    verdict.rate = two_digits(points_[steepest_].rate);
    verdict.reason = "the loss falls fastest there, from " + loss_text(start_) + " towards " +
                     loss_text(lowest().smooth) + " at " + rate_text(lowest().rate);
    if (is_at_end()) {
      verdict.reason += ", the highest rate tried, where it still falls.";
      verdict.advice = "Look at higher rates too: --to " + rate_text(points_.back().rate * 100);
      return verdict;
    }
    verdict.reason += curve_.has_diverged
                          ? "; it diverges at " + rate_text(points_.back().rate) + "."
                          : "; it rises from there on.";
    verdict.bounds = bounds();
    return verdict;
  }

 private:
  [[nodiscard]] const RatePoint& lowest() const { return points_[lowest_]; }
  [[nodiscard]] double fall() const { return start_ - lowest().smooth; }

  [[nodiscard]] std::optional<RateVerdict> unusable() const {
    if (!std::isfinite(curve_.first_loss))
      return refusal("the loss is " + shortest_number(curve_.first_loss) +
                         " before the first step, so no learning rate is to blame.",
                     "Find where it comes from: hearth train FILE --detect-anomaly");
    const std::string first = points_.empty() ? "" : rate_text(points_.front().rate);
    const std::string lower =
        points_.empty() ? "" : "Begin lower: --from " + rate_text(points_.front().rate / 1000);
    if (usable_ < kFewestPoints) {
      if (!curve_.has_diverged)
        return refusal("there are only " + std::to_string(usable_) + " points.",
                       "Take more: --steps 100");
      return refusal("the loss diverges at once, " + std::to_string(usable_) +
                         " steps after the lowest rate, " + first + ".",
                     lower);
    }
    const double least = std::max(kLeastFallOfNoise * noise_, kLeastFallOfLoss * std::abs(start_));
    if (fall() > least) return std::nullopt;
    if (curve_.has_diverged && points_[usable_ - 1].smooth > start_)
      return refusal("the loss never falls by more than its noise, " + rounded_number(noise_, 2) +
                         ": from " + loss_text(start_) + " it only rises, and diverges at " +
                         rate_text(points_.back().rate) + ".",
                     lower +
                         ". If it never falls there either, the loss does not depend on what is "
                         "learned, or what is learned is at its best already.");
    return refusal("the loss stays flat at " + loss_text(start_) +
                       ": it never falls by more than " + "its noise, " +
                       rounded_number(noise_, 2) + ".",
                   "Look at higher rates, --to " + rate_text(points_.back().rate * 100) +
                       ", or at larger batches. A model with all parameters frozen, or one that "
                       "has learned all it can, stays flat too.");
  }

  // Suggestions at the ends of a curve say where somebody looked, not what is there.
  [[nodiscard]] std::optional<RateVerdict> at_edge() const {
    if (steepest_ < window_)
      return refusal("the loss falls fastest at the lowest rate tried, " +
                         rate_text(points_.front().rate) + ", so the best may lie below it.",
                     "Begin lower: --from " + rate_text(points_.front().rate / 1000));
    if (steepest_ + window_ + 1 > usable_ && !curve_.has_diverged)
      return refusal("the loss falls fastest at the highest rate tried, " +
                         rate_text(points_.back().rate) + ", so the best may lie above it.",
                     "Go higher: --to " + rate_text(points_.back().rate * 1000));
    return std::nullopt;
  }

  [[nodiscard]] bool is_at_end() const {
    return !curve_.has_diverged && lowest_ + window_ + 1 > usable_;
  }

  [[nodiscard]] static RateVerdict refusal(std::string reason, std::string advice) {
    return {std::nullopt, std::nullopt, std::move(reason), std::move(advice)};
  }

  // Of a line through the points around it, over the logarithm of the rate.
  [[nodiscard]] double slope(size_t at) const {
    const size_t from = at > window_ ? at - window_ : 0;
    const size_t to = std::min(at + window_, usable_ - 1);
    const auto count = static_cast<double>(to - from + 1);
    double mean_x = 0;
    double mean_y = 0;
    for (size_t i = from; i <= to; ++i) {
      mean_x += std::log10(points_[i].rate) / count;
      mean_y += points_[i].smooth / count;
    }
    double above = 0;
    double below = 0;
    for (size_t i = from; i <= to; ++i) {
      const double x = std::log10(points_[i].rate) - mean_x;
      above += x * (points_[i].smooth - mean_y);
      below += x * x;
    }
    return above / below;
  }

  [[nodiscard]] size_t steepest() const {
    size_t best = 0;
    for (size_t i = 0; i <= lowest_; ++i)
      if (slope(i) < slope(best)) best = i;
    return best;
  }

  [[nodiscard]] RateBounds bounds() const {
    const auto reached = [&](double share) {
      size_t i = 0;
      while (i < lowest_ && points_[i].smooth > start_ - share * fall()) ++i;
      return points_[i].rate;
    };
    const double high = std::max(reached(kFallAtHigh), points_[steepest_].rate);
    return {two_digits(std::min(reached(kFallAtLow), high / 2)), two_digits(high)};
  }

  const RateCurve& curve_;
  const std::vector<RatePoint>& points_;
  double start_ = 0;
  double noise_ = 0;
  size_t usable_ = 0;  // points before the first that is no finite number
  size_t lowest_ = 0;
  size_t window_ = 2;
  size_t steepest_ = 0;
};

}  // namespace

double two_digits(double value) { return read_number(rounded_number(value, 2)).value_or(value); }

double noise_of(const std::vector<double>& losses) {
  // A normal distribution's, from the median size of its differences.
  constexpr double kDeviationOfMedian = 1.4826;
  std::vector<double> differences;
  for (size_t i = 1; i < losses.size(); ++i)
    differences.push_back(std::abs(losses[i] - losses[i - 1]));
  return median(std::move(differences)) * kDeviationOfMedian / std::sqrt(2.0);
}

std::optional<double> DivergenceWatch::limit() const {
  if (losses_.size() < kFirst) return std::nullopt;
  const double start = start_of(losses_);
  return start + rise_of(start, best_, noise_of(losses_));
}

bool DivergenceWatch::sees(double loss) {
  if (!std::isfinite(loss)) return true;
  losses_.push_back(loss);
  sum_ = kWatchWeight * sum_ + (1 - kWatchWeight) * loss;
  share_ = kWatchWeight * share_ + (1 - kWatchWeight);
  const double smooth = sum_ / share_;
  best_ = losses_.size() == 1 ? smooth : std::min(best_, smooth);
  const std::optional<double> most = limit();
  return most && smooth > *most;
}

// A loss out of all bounds counts no more than the bound: one such must not hide the valley beside
// it.
void smooth_curve(RateCurve& curve, double weight) {
  std::vector<double> losses;
  for (const RatePoint& point : curve.points) losses.push_back(point.loss);
  std::vector<double> finite;
  for (const double loss : losses)
    if (std::isfinite(loss)) finite.push_back(loss);
  if (finite.empty()) return;
  const double start = start_of(finite);
  const double lowest = *std::min_element(finite.begin(), finite.end());
  const double most = start + rise_of(start, lowest, noise_of(finite));
  for (double& loss : losses)
    if (std::isfinite(loss)) loss = std::min(loss, most);
  const std::vector<double> forward = smoothed(losses, weight);
  std::reverse(losses.begin(), losses.end());
  const std::vector<double> backward = smoothed(losses, weight);
  for (size_t i = 0; i < curve.points.size(); ++i)
    curve.points[i].smooth = (forward[i] + backward[curve.points.size() - 1 - i]) / 2;
}

RateVerdict judge(const RateCurve& curve) { return CurveReader(curve).verdict(); }

}  // namespace hearth
