// Curves with known answers.
#include "hearth/train/finders/rate_curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

namespace hearth {
namespace {

using testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Noise that is the same on every machine, between -1 and 1.
double noise_at(int step) { return std::sin(step * step * 12.9898 + step * 78.233); }

// Where the loss of x = log10(rate) is at half of its fall, from 2.3 to 0.3.
double falling(double x, double middle, double width = 0.4) {
  return 0.3 + 2 / (1 + std::exp((x - middle) / (width / 2)));
}

RateCurve curve_of(const std::function<double(double)>& loss, double noise, double from = -6,
                   double to = 1, int steps = 100) {
  RateCurve curve;
  DivergenceWatch watch;
  curve.first_loss = loss(from) + noise * noise_at(0);
  curve.has_diverged = watch.sees(curve.first_loss);
  for (int i = 0; i < steps && !curve.has_diverged; ++i) {
    const double x = from + (to - from) * i / (steps - 1);
    const double value = loss(x) + noise * noise_at(i + 1);
    curve.points.push_back({std::pow(10.0, x), value, value});
    curve.has_diverged = watch.sees(value);
  }
  smooth_curve(curve, 0.8);
  return curve;
}

// Falls around `middle`, and leaves all bounds from `end` on.
std::function<double(double)> valley(double middle, double end) {
  return [=](double x) { return falling(x, middle) + (x > end ? std::pow(20, x - end) - 1 : 0); };
}

TEST(RateCurve, TheSuggestionIsWhereTheLossFallsFastest) {
  for (const double noise : {0.0, 0.05, 0.2})
    for (const double middle : {-4.0, -2.5, -1.5}) {
      const RateVerdict verdict = judge(curve_of(valley(middle, middle + 1.5), noise));
      ASSERT_TRUE(verdict.rate) << verdict.reason;
      EXPECT_NEAR(std::log10(*verdict.rate), middle, 0.3) << "noise " << noise;
      ASSERT_TRUE(verdict.bounds);
      EXPECT_LT(verdict.bounds->low, *verdict.rate);
      EXPECT_GE(verdict.bounds->high, *verdict.rate);
      EXPECT_LT(std::log10(verdict.bounds->high), middle + 1.5);
      EXPECT_THAT(verdict.reason, HasSubstr("diverges at"));
    }
}

TEST(RateCurve, LossesBelowZeroAndOfAnySizeAreRead) {
  for (const double scale : {1e-4, 1.0, 1e5})
    for (const double shift : {-500.0, 0.0}) {
      const auto loss = [=](double x) { return scale * (valley(-3, -1)(x) + shift); };
      const RateVerdict verdict = judge(curve_of(loss, 0.02 * scale));
      ASSERT_TRUE(verdict.rate) << verdict.reason << " scale " << scale << " shift " << shift;
      EXPECT_NEAR(std::log10(*verdict.rate), -3, 0.3);
    }
}

TEST(RateCurve, ACurveThatSaysNothingGetsNoSuggestion) {
  const struct {
    const char* name;
    std::function<double(double)> loss;
    double noise;
    const char* reason;
    const char* advice;
  } kCases[] = {
      {"flat", [](double) { return 2.3; }, 0, "stays flat at 2.3", "higher rates"},
      {"noise alone", [](double) { return 2.3; }, 0.1, "stays flat", "larger batches"},
      {"rises from the start", [](double x) { return 2.3 + std::pow(10, (x + 6) / 3) - 1; }, 0.01,
       "never falls", "Begin lower: --from 1e-09"},
      {"diverges at once", [](double x) { return 2.3 * std::pow(10, 20 * (x + 6)); }, 0,
       "diverges at once", "Begin lower"},
      {"not a number after two steps", [](double x) { return x > -5.9 ? kNan : 2.3; }, 0,
       "diverges at once", "Begin lower"},
      {"not a number before the first", [](double) { return kNan; }, 0, "is nan before the first",
       "--detect-anomaly"},
      {"infinite before the first", [](double) { return 1 / 0.0; }, 0, "is inf before the first",
       "--detect-anomaly"},
      {"falls before it is looked at", [](double x) { return falling(x, -6.3); }, 0.01,
       "at the lowest rate tried", "Begin lower: --from 1e-09"},
      {"falls at the very end", [](double x) { return falling(x, 1.2); }, 0.01,
       "at the highest rate tried", "Go higher: --to 10000"},
  };
  for (const auto& one : kCases) {
    const RateVerdict verdict = judge(curve_of(one.loss, one.noise));
    EXPECT_FALSE(verdict.rate) << one.name << " " << verdict.rate.value_or(0);
    EXPECT_FALSE(verdict.bounds) << one.name;
    EXPECT_THAT(verdict.reason, HasSubstr(one.reason)) << one.name;
    EXPECT_THAT(verdict.advice, HasSubstr(one.advice)) << one.name;
  }
}

TEST(RateCurve, AnEndThatStillFallsGivesARateButNoBounds) {
  const auto loss = [](double x) { return falling(x, -1) - 0.02 * (x + 6); };
  const RateVerdict verdict = judge(curve_of(loss, 0.005));
  ASSERT_TRUE(verdict.rate) << verdict.reason;
  EXPECT_NEAR(std::log10(*verdict.rate), -1, 0.3);
  EXPECT_FALSE(verdict.bounds);
  EXPECT_THAT(verdict.reason, HasSubstr("still falls"));
  EXPECT_THAT(verdict.advice, HasSubstr("--to 1000"));
}

TEST(RateCurve, DivergenceEndsTheCurveSoonAfterItBegins) {
  const RateCurve curve = curve_of(valley(-3, -1), 0.05);
  EXPECT_TRUE(curve.has_diverged);
  EXPECT_GT(std::log10(curve.points.back().rate), -1);
  EXPECT_LT(std::log10(curve.points.back().rate), 0.2);
}

TEST(RateCurve, OneWildBatchIsNoDivergence) {
  const auto loss = [](double x) { return valley(-2, 0)(x) + (std::abs(x + 4) < 0.04 ? 3 : 0); };
  const RateVerdict verdict = judge(curve_of(loss, 0.02));
  ASSERT_TRUE(verdict.rate) << verdict.reason;
  EXPECT_NEAR(std::log10(*verdict.rate), -2, 0.3);
}

TEST(RateCurve, SmoothingMovesNothingToTheRight) {
  RateCurve curve;
  for (int i = 0; i < 61; ++i) curve.points.push_back({1.0 + i, i == 30 ? 0.0 : 1.0, 0});
  smooth_curve(curve, 0.8);
  for (int i = 1; i <= 30; ++i)
    EXPECT_NEAR(curve.points[static_cast<size_t>(30 - i)].smooth,
                curve.points[static_cast<size_t>(30 + i)].smooth, 2e-3);
  EXPECT_LT(curve.points[30].smooth, curve.points[29].smooth);
}

TEST(RateCurve, TheNoiseOfANormalDistributionIsItsDeviation) {
  std::vector<double> losses;
  for (int i = 0; i < 4000; ++i) {
    const double angle = 2 * std::numbers::pi * std::fmod(i * 0.754877666, 1.0);
    const double share = std::fmod(i * 0.569840291 + 0.01, 1.0);
    losses.push_back(3 + 0.5 * std::sqrt(-2 * std::log(share + 1e-9)) * std::cos(angle));
  }
  EXPECT_NEAR(noise_of(losses), 0.5, 0.15);
  EXPECT_EQ(noise_of({}), 0);
  EXPECT_EQ(noise_of({1}), 0);
}

TEST(RateCurve, TwoDigits) {
  for (const auto& [value, wanted] : std::vector<std::pair<double, double>>{
           {0.0012345, 0.0012}, {9.96, 10}, {123, 120}, {3e-9, 3e-9}, {0, 0}})
    EXPECT_EQ(two_digits(value), wanted);
}

}  // namespace
}  // namespace hearth
