// What was measured beside a training, and the watches that a follower looks through.
#include "hearth/tracking/evaluations.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/format/checkpoint_names.h"
#include "hearth/tracking/checkpoint_watch.h"
#include "hearth/tracking/run_watch.h"

namespace hearth {
namespace {

class EvaluationsTest : public testing::Test {
 protected:
  EvaluationsTest() {
    std::string name = (fs::temp_directory_path() / "hearth_evaluations_XXXXXX").string();
    run_ = mkdtemp(name.data());
  }
  ~EvaluationsTest() override { fs::remove_all(run_); }

  static Event event_at(int64_t step) {
    return {"evaluation", step, 0, 1.5, {{"eval/loss", 0.25}}, Json{{"checkpoint", "x"}}};
  }
  void save(int64_t step, const std::string& content = "bytes") const {
    make_folder(run_ / "checkpoints");
    write_file_durably(run_ / "checkpoints" / (step_checkpoint_name(step) + kCheckpointEnding),
                       content);
  }
  static std::vector<int64_t> steps_of(const std::vector<NewCheckpoint>& checkpoints) {
    std::vector<int64_t> steps;
    for (const NewCheckpoint& checkpoint : checkpoints) steps.push_back(checkpoint.step);
    return steps;
  }
  fs::path run_;
};

TEST_F(EvaluationsTest, AnotherProcessKnowsWhatOneAdded) {
  const EvaluationKey key{10, "eval", "abc", {"data.batch_size=3"}};
  Evaluations one(run_);
  Evaluations other(run_);
  EXPECT_FALSE(other.has(key));
  one.add(event_at(10), key);
  EXPECT_TRUE(other.has(key));
  EXPECT_FALSE(other.has({10, "test", "abc", {"data.batch_size=3"}}));
  EXPECT_FALSE(other.has({10, "eval", "abd", {"data.batch_size=3"}}));
  other.add(event_at(10), key);
  EXPECT_EQ(read_run_log(run_ / "evaluations.jsonl").size(), 1U);
}

TEST_F(EvaluationsTest, ATornLineIsReplacedByTheNextOne) {
  Evaluations(run_).add(event_at(10), {10, "eval", "abc", {}});
  const fs::path path = run_ / "evaluations.jsonl";
  const std::string whole = read_file(path);
  write_file_durably(path, whole + whole.substr(0, 20));
  Evaluations again(run_);
  EXPECT_TRUE(again.has({10, "eval", "abc", {}}));
  again.add(event_at(20), {20, "eval", "abd", {}});
  const std::vector<Event> events = read_run_log(path);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(Evaluations::key_of(events[1]), (EvaluationKey{20, "eval", "abd", {}}));
}

TEST_F(EvaluationsTest, ADamagedFileIsNamed) {
  write_file_durably(run_ / "evaluations.jsonl", "no event\n");
  Evaluations evaluations(run_);
  EXPECT_THROW((void)evaluations.has({1, "eval", "", {}}), DataError);
}

TEST_F(EvaluationsTest, CheckpointsAreGivenOnceOldestFirstAndAgainWhenReplaced) {
  CheckpointWatch watch(run_ / "checkpoints");
  EXPECT_TRUE(watch.take_new().empty());
  save(20);
  save(10);
  write_file_durably(run_ / "checkpoints" / "best.safetensors", "x");
  EXPECT_EQ(steps_of(watch.take_new()), (std::vector<int64_t>{10, 20}));
  EXPECT_TRUE(watch.take_new().empty());
  save(20, "other bytes");
  save(30);
  EXPECT_EQ(steps_of(watch.take_new()), (std::vector<int64_t>{20, 30}));
  fs::remove(run_ / "checkpoints" / (step_checkpoint_name(10) + kCheckpointEnding));
  EXPECT_FALSE(watch.has({step_checkpoint_name(10), 10}));
  EXPECT_TRUE(watch.take_new().empty());
}

TEST_F(EvaluationsTest, ARunTrainsWhileItsFolderIsHeldAndHasEndedWhenItSaysSo) {
  write_file_durably(run_ / "history.jsonl", to_line({"begin", 0, 0, 0, {}, {}}));
  RunWatch watch(run_);
  EXPECT_EQ(watch.look(), RunPhase::kTraining);  // it may be about to take hold of the folder
  const FolderLock lock(run_);
  EXPECT_EQ(watch.look(), RunPhase::kTraining);
  write_file_durably(run_ / "history.jsonl",
                     to_line({"begin", 0, 0, 0, {}, {}}) + to_line({"end", 5, 0, 0, {}, {}}));
  EXPECT_EQ(watch.look(), RunPhase::kEnded);
}

}  // namespace
}  // namespace hearth
