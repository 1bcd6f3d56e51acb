#include "hearth/data/step_fusion.h"

#include <gtest/gtest.h>

#include "hearth/data/fixtures_test.h"

namespace hearth {
namespace {

using testing_data::AddNoise;
using testing_data::Chain;
using testing_data::CountingSource;
using testing_data::hashes_of;
using testing_data::Ops;

class Doubled : public SampleOp {
 public:
  explicit Doubled(std::string to = "x") : to_(std::move(to)) {}
  bool is_random() const override { return false; }
  std::vector<std::string> reads() const override { return {"x"}; }
  std::vector<std::string> writes() const override { return {to_}; }
  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override { return inputs; }
  void run(Random&, std::span<const View> in, std::span<const Cell> out) const override {
    for (size_t i = 0; i < 4; ++i) out[0].as<float>()[i] = 2 * in[0].as<float>()[i];
  }

 private:
  std::string to_;
};

// Adds noise to a value, also to one that is still to be doubled.
class NoisyAfter : public SampleOp {
 public:
  explicit NoisyAfter(std::string from = "x", float factor = 1)
      : from_(std::move(from)), factor_(factor) {}
  std::vector<std::string> reads() const override { return {from_}; }
  std::vector<std::string> writes() const override { return {"y"}; }
  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override { return inputs; }
  std::shared_ptr<const SampleOp> fused_after(
      const std::shared_ptr<const SampleOp>& before) const override {
    if (dynamic_cast<const Doubled*>(before.get()) == nullptr || !can_fuse) return nullptr;
    const auto fused = std::make_shared<NoisyAfter>(from_, 2.0F);
    fused->differs = differs;
    return fused;
  }
  void run(Random& random, std::span<const View> in, std::span<const Cell> out) const override {
    for (size_t i = 0; i < 4; ++i)
      out[0].as<float>()[i] = factor_ * in[0].as<float>()[i] + random.uniform();
  }
  bool differs_from_parts() const override { return differs; }
  bool can_fuse = true;
  bool differs = false;

 private:
  std::string from_;
  float factor_;
};

std::vector<std::string> batches(const Chain& chain) {
  LoaderOptions options{.batch_size = 4, .workers = 0, .depth = 2};
  Loader loader(chain.source->size(), options, chain.every_epoch());
  return hashes_of(loader);
}

Chain chain_of(const std::shared_ptr<const SampleOp>& second,
               const std::vector<std::string>& wanted = {"y"}, const std::string& between = "x") {
  return {std::make_shared<CountingSource>(12),
          Ops{std::make_shared<Doubled>(between), second},
          wanted,
          {"double", "noisy"}};
}

TEST(StepFusion, GivesTheSameResultsInOneStep) {
  const auto apart = std::make_shared<NoisyAfter>();
  apart->can_fuse = false;
  const Chain fused = chain_of(std::make_shared<NoisyAfter>());
  ASSERT_EQ(fused.made()->steps.size(), 1U);
  EXPECT_EQ(fused.made()->steps[0].name, "double+noisy");
  EXPECT_EQ(chain_of(apart).made()->steps.size(), 2U);
  EXPECT_EQ(fused.made()->steps[0].op_number, chain_of(apart).made()->steps[1].op_number);
  EXPECT_EQ(batches(fused), batches(chain_of(apart)));
}

TEST(StepFusion, LeavesAloneWhatOthersReadToo) {
  const auto second = std::make_shared<NoisyAfter>("doubled");
  EXPECT_EQ(chain_of(second, {"y"}, "doubled").made()->steps.size(), 1U);
  EXPECT_EQ(chain_of(second, {"y", "doubled"}, "doubled").made()->steps.size(), 2U);
  Chain chain = chain_of(second, {"y"}, "doubled");
  chain.plan.values[static_cast<size_t>(chain.newest("doubled"))].is_recorded = true;
  EXPECT_EQ(chain.made()->steps.size(), 2U);
}

TEST(StepFusion, LeavesTheFixedPartAloneUnlessTogetherTheyMakeOtherValues) {
  const auto second = std::make_shared<NoisyAfter>();
  const Chain chain = chain_of(second);
  const auto steps = [&] {
    return make_data_plan(chain.plan, chain.nodes, chain.source, Fusion::kAroundFixed).steps.size();
  };
  EXPECT_EQ(steps(), 2U);
  second->differs = true;
  EXPECT_EQ(steps(), 1U);
}

}  // namespace
}  // namespace hearth
