// Schedules against PyTorch's schedulers, over 1,000 steps.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "hearth/config/yaml.h"
#include "hearth/schedule/schedule.h"

namespace hearth {
namespace {

nlohmann::json torchs_schedules() {
  std::ifstream file(std::string(HEARTH_SOURCE_DIR) + "/tests/parity/schedules.json");
  return nlohmann::json::parse(file);
}

TEST(Schedules, GiveTheValuesOfPythonsTorch) {
  const nlohmann::json truth = torchs_schedules();
  const int64_t total = truth.at("steps");
  const std::vector<int64_t> kept = truth.at("kept");
  ASSERT_FALSE(truth.at("cases").empty());
  for (const nlohmann::json& expected : truth.at("cases")) {
    SCOPED_TRACE(expected["schedule"].dump());
    const Node node = parse_yaml(expected["schedule"].dump(), "schedule");
    const ScheduledValue schedule(TypeOf<Scheduled>::read(node));
    for (size_t i = 0; i < kept.size(); ++i) {
      const Moment moment{kept[i], kept[i] / 100, {100, total, 1}};
      ASSERT_NEAR(schedule.at(moment), expected["values"][i].get<double>(), 1e-12) << kept[i];
    }
    EXPECT_TRUE(schedule.unreached({100, total, 1}).empty());
  }
}

double last_value(const std::string& text, int64_t step, const TrainingLength& length) {
  const ScheduledValue schedule(TypeOf<Scheduled>::read(parse_yaml(text, "schedule")));
  return schedule.at({step, 0, length});
}

// Of a training that is longer, or has hardly any steps.
TEST(Schedules, StayFiniteAtTheEndsOfAnyTraining) {
  const nlohmann::json truth = torchs_schedules();
  for (const nlohmann::json& expected : truth.at("cases"))
    for (const int64_t total : {int64_t{0}, int64_t{1}, int64_t{1000000000000}})
      for (const int64_t step : {int64_t{0}, int64_t{1}, total}) {
        const TrainingLength length = {std::max<int64_t>(total / 10, 1), total, 1};
        EXPECT_TRUE(std::isfinite(last_value(expected["schedule"].dump(), step, length)))
            << expected["schedule"] << " at " << step << " of " << total;
      }
}

TEST(Schedules, LaterPartsCountFromTheirBeginning) {
  const TrainingLength length = {10, 100, 1};
  const std::string line = "{linear: {first: 0, last: 1}}";
  EXPECT_DOUBLE_EQ(last_value("{warmup: {of: " + line + ", length: 2ep}}", 60, length), 0.5);
  EXPECT_DOUBLE_EQ(last_value("{chain: {of: [3, " + line + "], at: [2ep]}}", 60, length), 0.5);
  EXPECT_DOUBLE_EQ(last_value("{chain: {of: [3, " + line + "], at: [2ep]}}", 19, length), 3);
  EXPECT_DOUBLE_EQ(last_value("{warmup: {of: 0.5, length: 10st}}", 4, length), 0.25);
}

TEST(Schedules, SayWhatTheRunIsTooShortFor) {
  const auto said = [](const std::string& text) {
    const ScheduledValue schedule(TypeOf<Scheduled>::read(parse_yaml(text, "schedule")));
    return schedule.unreached({10, 100, 1});
  };
  EXPECT_EQ(said("{step: {every: 30ep}}"),
            std::vector<std::string>{"every 30ep is step 300, but the run ends after 100, so the "
                                     "value never changes."});
  EXPECT_EQ(said("{warmup: {of: {multi_step: {at: [1ep, 9ep]}}, length: 2ep}}"),
            std::vector<std::string>{"of: at 9ep is step 90, but the run ends after 80, so that "
                                     "change is never reached."});
  EXPECT_EQ(said("{chain: {of: [1, 2], at: [12ep]}}"),
            std::vector<std::string>{"at 12ep is step 120, but the run ends after 100, so of[1] is "
                                     "never reached."});
}

}  // namespace
}  // namespace hearth
