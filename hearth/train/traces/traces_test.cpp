// What traces make of values that are no finite number.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "hearth/config/registry.h"
#include "hearth/train/run_fixture.h"
#include "hearth/train/traces/best_model.h"
#include "hearth/train/traces/early_stopping.h"

namespace hearth {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What is asked of a run in which the trace's metric takes these values, epoch by epoch.
std::string asked_by(const Choice<Trace>& choice, const std::vector<double>& values) {
  const auto trace = registry<Trace>().make(choice);
  FakeRun run(trace->monitors());
  run.begin(*trace);
  for (const double value : values) run.run_epoch(*trace, value);
  run.end(*trace);
  return run.log();
}

TEST(EarlyStopping, SaysInWordsThatTheMetricWasNeverFinite) {
  EXPECT_EQ(asked_by(traces::early_stopping({.patience = 2}), {kNan, kInfinity}),
            "stop eval/loss has not improved for 2 epochs; it was never a finite number.; ");
}

TEST(EarlyStopping, NamesTheBestFiniteValue) {
  EXPECT_EQ(asked_by(traces::early_stopping({.patience = 2}), {kNan, 0.5, -kInfinity, kNan}),
            "stop eval/loss has not improved for 2 epochs; the best was 0.5.; ");
}

TEST(EarlyStopping, RemembersThroughACheckpointThatTheMetricWasNotFinite) {
  const auto before = registry<Trace>().make(traces::early_stopping({.patience = 2}));
  const auto after = registry<Trace>().make(traces::early_stopping({.patience = 2}));
  FakeRun run(before->monitors());
  run.run_epoch(*before, kNan);
  after->restore(Json::parse(before->state().dump()));
  run.run_epoch(*after, kNan);
  EXPECT_THAT(run.log(), testing::HasSubstr("it was never a finite number"));
}

TEST(BestModel, NeverSavesForAValueThatIsNotFinite) {
  EXPECT_EQ(asked_by(traces::best_model(), {-kInfinity, 2, kNan, 1, -kInfinity}),
            "save best; save best; ");
}

TEST(BestModel, SaysWhenThereIsNoBestAtAll) {
  EXPECT_EQ(asked_by(traces::best_model(), {kNan, kNan}),
            "notice eval/loss was never a finite number, so there is no checkpoint 'best'.; ");
  EXPECT_EQ(asked_by(traces::best_model(), {}), "");
}

}  // namespace
}  // namespace hearth
