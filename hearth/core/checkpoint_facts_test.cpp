#include "hearth/core/checkpoint_facts.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "hearth/base/error.h"
#include "hearth/format/checkpoint_names.h"
#include "hearth/format/safetensors_writer.h"
#include "hearth/format/state_file.h"

namespace hearth {
namespace {

class Checkpoints : public testing::Test {
 protected:
  // In memory where there is such a place: the disk's own speed is no matter here.
  Checkpoints()
      : run_(fs::path(fs::is_directory("/dev/shm") ? "/dev/shm" : testing::TempDir()) /
             ("checkpoints_of_" + std::to_string(getpid()))) {
    fs::remove_all(run_);
    fs::create_directories(run_ / "checkpoints");
  }
  ~Checkpoints() override { fs::remove_all(run_); }

  fs::path write(const std::string& name, int64_t step, const std::string& kind = kCheckpointKind) {
    const Json values = {
        {"trainer",
         {{"position", {{"epoch", 1}, {"batch", 2}, {"step", step}, {"target_epochs", 4}}},
          {"stop_reason", ""},
          {"metrics", {{"eval/accuracy", 0.5}}}}}};
    const std::vector<float> numbers(64, 0.5F);
    const fs::path path = run_ / "checkpoints" / (name + ".safetensors");
    write_safetensors(
        path,
        {{"network/models/net/model/weight", "F32", {8, 8}, std::as_bytes(std::span(numbers))}},
        {.metadata = {{kStateKindKey, kind}, {kStateValuesKey, values.dump()}}});
    return path;
  }

  fs::path run_;
};

TEST_F(Checkpoints, AreListedNewestFirstAndThenByName) {
  (void)write("best", 7);
  (void)write("step-00000007", 7);
  (void)write("step-100000000", 100000000);
  std::ofstream(run_ / "checkpoints" / "step-00000009.safetensors") << "nothing";
  const std::vector<CheckpointFacts> all = checkpoints_of(run_);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].name, "step-100000000");
  EXPECT_NE(all[1].fault, "");
  EXPECT_EQ(all[2].place(), "step 7, 1 of 4 epochs and 2 batches");
  EXPECT_EQ(all[3].name, "best");
  EXPECT_EQ(all[3].metrics.at("eval/accuracy"), 0.5);
}

TEST_F(Checkpoints, AreCalledByRunNameAndStep) {
  const fs::path seven = write("step-00000007", 7);
  const fs::path best = write("best", 7);
  EXPECT_EQ(checkpoint_called(run_.string()), seven);
  EXPECT_EQ(checkpoint_called(run_.string() + ":last"), seven);
  EXPECT_EQ(checkpoint_called(run_.string() + ":7"), seven);
  EXPECT_EQ(checkpoint_called(run_.string() + ":best"), best);
  EXPECT_EQ(checkpoint_called(best.string()), best);
  EXPECT_THROW((void)checkpoint_called(run_.string() + ":bets"), DataError);
  EXPECT_THROW((void)checkpoint_called(run_.string() + ":../../x"), DataError);
  EXPECT_THROW((void)checkpoint_called("nowhere"), DataError);
}

TEST_F(Checkpoints, OfAnotherKindOrShapeAreNone) {
  EXPECT_NE(checkpoint_fault(write("weights", 1, kWeightsKind)), "");
  EXPECT_NE(checkpoint_fault(write("step-00000001", -1)), "");
  EXPECT_EQ(checkpoint_fault(write("step-00000002", 2)), "");
}

// Ten thousand of them, in a small file of a run's form: none is taken for a good one.
TEST_F(Checkpoints, AreNeverTakenWithAFlippedBitOrACutEnd) {
  const fs::path path = write("step-00000007", 7);
  const std::string good = read_file(path);
  std::mt19937 chance(7);  // NOLINT: the same flips every time
  const auto put = [&](const std::string& content) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
  };
  for (int i = 0; i < 9000; ++i) {
    std::string flipped = good;
    const size_t bit = chance() % (good.size() * 8);
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    put(flipped);
    ASSERT_NE(checkpoint_fault(path), "") << "bit " << bit;
  }
  for (size_t i = 0; i < 1000; ++i) {
    const size_t size = i < good.size() ? i : chance() % good.size();
    put(good.substr(0, size));
    ASSERT_NE(checkpoint_fault(path), "") << "cut at " << size;
  }
  put(good + '\0');
  EXPECT_NE(checkpoint_fault(path), "");
  put(good);
  EXPECT_EQ(checkpoint_fault(path), "");
}

}  // namespace
}  // namespace hearth
