// Checkpoints that are written beside the training, on a disk that is slow for a while.
#include "hearth/train/run_keeper.h"

#include <ATen/ops/full.h>
#include <gtest/gtest.h>

#include "hearth/format/checkpoint_names.h"
#include "hearth/train/checkpoint.h"

namespace hearth {
namespace {

// Every save asks for the fingerprint: until the gate opens, none can be written.
class GatedSource : public Source {
 public:
  explicit GatedSource(std::shared_future<void> gate) : gate_(std::move(gate)) {}
  [[nodiscard]] std::vector<KeySpec> keys() const override { return {}; }
  [[nodiscard]] int64_t size() const override { return 1; }
  void read(int64_t, std::span<const Cell>) const override {}
  [[nodiscard]] std::string fingerprint() const override {
    gate_.wait();
    return "gated";
  }
  [[nodiscard]] std::string describe(int64_t) const override { return "gated"; }

 private:
  std::shared_future<void> gate_;
};

class SlowDisk : public testing::Test {
 protected:
  SlowDisk() : folder_(RunFolder::create(testing::TempDir(), "slow_disk")) {
    keeping_.sources = {{"train", std::make_shared<GatedSource>(gate_.get_future().share())}};
    keeping_.keep = 100;
    keeping_.notice = [this](const std::string& text) { notices_ += text; };
  }
  static State state_of(float value, int64_t floats) {
    State state;
    state.tensors = {{"weight", at::full({floats}, value)}};
    return state;
  }
  [[nodiscard]] float saved(int64_t step) const {
    return CheckpointFolder(folder_.checkpoints()).of_step(step).tensor("weight")[0].item<float>();
  }

  std::promise<void> gate_;
  RunFolder folder_;
  std::string notices_;
  RunKeeping keeping_ = {folder_, {}, {}, 0, {}, {}};
};

TEST_F(SlowDisk, KeepsTheTrainingFromNothingAndGetsEveryCheckpoint) {
  RunKeeper keeper(keeping_);
  keeper.begin();
  State state = state_of(0, 10);
  for (int64_t step = 1; step <= 5; ++step) {
    state.tensors[0].second.fill_(static_cast<float>(step));  // as the next step would change it
    keeper.save_in_background(state, step);
  }
  EXPECT_TRUE(keeper.is_saving());
  EXPECT_TRUE(step_checkpoints(folder_.checkpoints()).empty());
  gate_.set_value();
  keeper.wait_for_save();
  EXPECT_FALSE(keeper.is_saving());
  for (int64_t step = 1; step <= 5; ++step) EXPECT_EQ(saved(step), static_cast<float>(step));
  EXPECT_EQ(notices_, "");
}

TEST_F(SlowDisk, WritesNamedOnesInTurnAndKeepsTheTrainingFromNothing) {
  RunKeeper keeper(keeping_);
  keeper.begin();
  State state = state_of(0, 10);
  for (int64_t step = 1; step <= 3; ++step) {
    state.tensors[0].second.fill_(static_cast<float>(step));
    keeper.save_named(state, "best-" + std::to_string(step), step);
  }
  keeper.remove_named("best-1");
  state.tensors[0].second.fill_(9);
  EXPECT_TRUE(named_checkpoints(folder_.checkpoints()).empty());
  gate_.set_value();
  keeper.wait_for_save();
  const CheckpointFolder written(folder_.checkpoints());
  EXPECT_FALSE(written.has("best-1"));
  for (const int step : {2, 3})
    EXPECT_EQ(written.named("best-" + std::to_string(step)).tensor("weight")[0].item<float>(),
              step);
}

TEST_F(SlowDisk, ANamedOneThatFailsIsInTheNextCheckpointAndTriedAgain) {
  gate_.set_value();
  const fs::path blocked = folder_.checkpoints() / "best.safetensors";
  fs::create_directories(blocked / "full");
  RunKeeper keeper(keeping_);
  keeper.begin();
  keeper.save_named(state_of(1, 10), "best", 1);
  keeper.save_in_background(state_of(2, 10), 2);
  keeper.wait_for_save();
  EXPECT_NE(notices_.find("the checkpoint 'best' was not saved"), std::string::npos);
  const CheckpointFolder written(folder_.checkpoints());
  const RunRecord record = RunRecord::of(written.of_step(2));
  EXPECT_EQ(record.owed.at("best").tensor("weight")[0].item<float>(), 1);
  fs::remove_all(blocked);
  keeper.save_in_background(state_of(3, 10), 3);
  keeper.wait_for_save();
  EXPECT_EQ(written.named("best").tensor("weight")[0].item<float>(), 1);
  EXPECT_TRUE(RunRecord::of(written.of_step(3)).owed.empty());
}

// Copies as large as these may wait one at a time.
TEST_F(SlowDisk, IsWaitedForWhenMuchMemoryWaits) {
  constexpr int64_t kMuch = (256 << 20) / 4 + 1;
  RunKeeper keeper(keeping_);
  keeper.begin();
  keeper.save_in_background(state_of(1, kMuch), 1);
  std::thread opener([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_TRUE(step_checkpoints(folder_.checkpoints()).empty());
    gate_.set_value();
  });
  keeper.save_in_background(state_of(2, 10), 2);
  EXPECT_EQ(step_checkpoints(folder_.checkpoints()).size(), 1U);
  opener.join();
  keeper.wait_for_save();
  EXPECT_EQ(saved(2), 2);
}

}  // namespace
}  // namespace hearth
