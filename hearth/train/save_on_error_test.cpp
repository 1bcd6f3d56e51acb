// An error between two batches costs nothing of what was trained before it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/data/source.h"
#include "hearth/data/sources/synthetic.h"
#include "hearth/network/ops/cross_entropy.h"
#include "hearth/nn/architectures/mlp.h"
#include "hearth/optim/optimizers/sgd.h"
#include "hearth/train/checkpoint.h"
#include "hearth/train/estimator.h"

namespace hearth {
namespace {

struct BreakingOptions {
  static const Schema<BreakingOptions>& schema() {
    static const Schema<BreakingOptions> fields;
    return fields;
  }
};

// A disk that goes away after some reads.
class BreakingSource : public Source {
 public:
  using Options = BreakingOptions;
  explicit BreakingSource(const Options&) {}
  std::vector<KeySpec> keys() const override { return data_->keys(); }
  int64_t size() const override { return data_->size(); }
  void read(int64_t index, std::span<const Cell> cells) const override {
    if (reads_left > 0 && --reads_left == 0) throw DataError("the disk is away.");
    data_->read(index, cells);
  }
  std::string fingerprint() const override { return "breaking"; }
  std::string describe(int64_t index) const override { return data_->describe(index); }
  inline static std::atomic<int64_t> reads_left = 0;

 private:
  std::unique_ptr<Source> data_ =
      registry<Source>().make(sources::synthetic({.size = 24, .shape = {1, 4, 4}, .classes = 3}));
};

ExperimentOptions breaking_experiment(const fs::path& folder) {
  static const bool is_added = [] {
    registry<Source>().add<BreakingSource>("breaking", "Goes away.");
    return true;
  }();
  (void)is_added;
  ExperimentOptions options;
  options.folder = folder.string();
  options.data.train = choose<Source>("breaking", BreakingOptions{});
  options.data.batch_size = 8;
  options.data.workers = 0;
  options.data.shuffle = false;
  options.model = layers::mlp({.hidden = {8}, .dropout = 0.2});
  options.loss = network_ops::cross_entropy();
  options.optimizer = optimizers::sgd({.lr = 0.05, .momentum = 0.9});
  options.train.epochs = 2;
  options.train.warm_up = false;
  options.train.checkpoint.every = steps(100);
  return options;
}

TEST(SaveOnError, KeepsTheStepsBeforeDataThatCannotBeReadAndTheirBits) {
  const fs::path folder = fs::path(testing::TempDir()) / "save_on_error";
  fs::remove_all(folder);
  const ExperimentOptions options = breaking_experiment(folder);
  std::string notices;
  const EstimatorSettings settings = {
      .on_notice = [&](const std::string& text) { notices += text + "\n"; }};
  Estimator truth(options, {.keeps_run = false});
  (void)truth.fit();
  BreakingSource::reads_left = 36;  // in the second batch of the second epoch
  EXPECT_THROW((void)Estimator(options, settings).fit(), DataError);
  const fs::path run = list_folder(folder).front();
  EXPECT_EQ(CheckpointFolder(run / "checkpoints").newest_step(), 4);
  EXPECT_THAT(notices, testing::HasSubstr("up to step 4 is saved"));
  Estimator resumed = Estimator::resume(run);
  (void)resumed.fit();
  EXPECT_EQ(resumed.state_digest(), truth.state_digest());
  fs::remove_all(folder);
}

}  // namespace
}  // namespace hearth
