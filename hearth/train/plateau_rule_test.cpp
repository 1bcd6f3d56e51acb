// When learning rates fall, against PyTorch's ReduceLROnPlateau over 1,000 values.
#include "hearth/train/plateau_rule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

namespace hearth {
namespace {

PlateauTerms terms_of(const Json& options, bool is_better_when_higher) {
  const PlateauTerms usual;
  return {.patience = options.value("patience", usual.patience),
          .min_change = options.value("min_change", usual.min_change),
          .is_relative = options.value("relative", usual.is_relative),
          .cooldown = options.value("cooldown", usual.cooldown),
          .factor = options.value("factor", usual.factor),
          .floor = options.value("floor", usual.floor),
          .is_better_when_higher = is_better_when_higher};
}

// In the middle it goes through a checkpoint.
TEST(PlateauRule, FallsAsPythonsTorchDoes) {
  std::ifstream file(std::string(HEARTH_SOURCE_DIR) + "/tests/parity/schedules.json");
  const Json truth = Json::parse(file);
  const std::vector<size_t> kept = truth.at("kept");
  const std::vector<double> metric = truth.at("metric");
  ASSERT_EQ(truth.at("plateaus").size(), 3);
  for (const Json& expected : truth.at("plateaus")) {
    SCOPED_TRACE(expected["options"].dump());
    const PlateauTerms terms = terms_of(expected["options"], expected["higher"]);
    PlateauRule rule;
    double rate = 0.4;
    size_t next = 0;
    for (size_t step = 0; step < metric.size(); ++step) {
      rate *= rule.next(metric[step], terms);
      if (step == 500) {
        const Json saved = Json::parse(rule.state().dump());
        rule = PlateauRule();
        rule.restore(saved);
      }
      if (kept[next] != step) continue;
      ASSERT_NEAR(rate, expected["values"][next].get<double>(), 1e-12) << step;
      ++next;
    }
    EXPECT_LT(rate, 0.4);
  }
}

TEST(PlateauRule, TakesNoNumberForNoImprovement) {
  PlateauRule rule;
  const PlateauTerms terms{.patience = 2, .factor = 0.5};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(rule.next(nan, terms), 1);
  EXPECT_EQ(rule.next(std::numeric_limits<double>::infinity(), terms), 0.5);
  EXPECT_FALSE(rule.has_best());
  EXPECT_EQ(rule.next(3, terms), 1);
  EXPECT_EQ(rule.best(), 3);
}

}  // namespace
}  // namespace hearth
