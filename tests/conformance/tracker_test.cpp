// Every tracker: takes any log, again from its start, and touches nothing of the run's own.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "hearth/base/files.h"
#include "hearth/config/registry.h"
#include "hearth/core/event.h"
#include "hearth/tracking/log_follower.h"
#include "hearth/tracking/tracker.h"

namespace hearth {
namespace {

// Numbers of all kinds, names that files and tables do not like, tables, histograms, missing files.
std::vector<Event> odd_log() {
  return {{"step", 1, 0, 1.5, {{"loss", 0.5}, {"lr/net", 1e-300}}, {}},
          {"step", 2, 0, 2.5, {{"loss", std::nan("")}, {"a, \"b\"\n<c>", -INFINITY}}, {}},
          {"eval.so/and so", 2, 0, 2.5, {{"", 1e308}}, {}},
          {"image", 2, 0, 2.5, {}, {{"name", "grid"}, {"file", "images/none.png"}}},
          {"table", 2, 0, 2.5, {}, {{"name", 3}, {"columns", "none"}}},
          {"capture", 2, 0, 2.5, {}, {{"a", {{"from", 1}, {"to", 1}, {"counts", {3}}}}}},
          {"own", 1'000'000'000'000, 7, 0, {}, {}}};
}

class EveryTracker : public testing::TestWithParam<std::string> {
 protected:
  EveryTracker() {
    std::filesystem::remove_all(run_);
    std::filesystem::create_directories(run_);
    std::ofstream log(run_ / "log.jsonl");
    for (const Event& event : odd_log()) log << to_line(event);
  }
  ~EveryTracker() override { std::filesystem::remove_all(run_); }
  [[nodiscard]] static std::unique_ptr<Tracker> made() {
    return registry<Tracker>().make({GetParam(), Node::map()});
  }

  std::filesystem::path run_ =
      std::filesystem::path(testing::TempDir()) / ("every_tracker_" + GetParam()) / "run";
};

TEST_P(EveryTracker, TakesAnyLogAndLeavesItAsItIs) {
  const std::string before = read_file(run_ / "log.jsonl");
  const auto tracker = made();
  ASSERT_NO_THROW(track_log(run_, *tracker));
  EXPECT_EQ(read_file(run_ / "log.jsonl"), before);
}

TEST_P(EveryTracker, MayBeBegunAnewAndFlushedAtAnyTime) {
  const auto tracker = made();
  tracker->begin(run_);
  tracker->flush();
  for (const Event& event : odd_log()) {
    tracker->take(event);
    tracker->flush();
    tracker->begin(run_);
  }
  ASSERT_NO_THROW(tracker->settle());
  ASSERT_NO_THROW(tracker->settle());
}

TEST_P(EveryTracker, FollowsALogThatIsNotThereYet) {
  std::filesystem::remove(run_ / "log.jsonl");
  std::vector<NamedTracker> trackers;
  trackers.push_back({GetParam(), made()});
  LogFollower follower(run_, std::move(trackers));
  follower.catch_up();
  EXPECT_TRUE(follower.take_faults().empty());
}

INSTANTIATE_TEST_SUITE_P(Conformance, EveryTracker, testing::ValuesIn(registry<Tracker>().names()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace hearth
