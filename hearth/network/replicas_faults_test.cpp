// Replicas: what goes wrong in one of them, and what they cannot share.
#include <ATen/ops/rand_like.h>
#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/network/replicas_fixture.h"

namespace hearth {
namespace {

struct OddOptions {
  std::string does = "nothing";
  static const Schema<OddOptions>& schema() {
    static const auto fields =
        Schema<OddOptions>().field(&OddOptions::does, "does", "What it does.");
    return fields;
  }
};

// Passes logits on, and does something odd beside it.
class OddOp : public NetworkOp {
 public:
  using Options = OddOptions;
  explicit OddOp(OddOptions options) : options_(std::move(options)) {}
  [[nodiscard]] std::vector<std::string> reads() const override { return {"logits"}; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {"logits", "count"}; }
  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    Spec count;
    count.dtype = DType::kInt64;
    count.is_per_batch = true;
    return {inputs[0], count};
  }
  [[nodiscard]] bool has_effect() const override { return options_.does == "step"; }
  [[nodiscard]] int64_t batches_per_step() const override {
    return options_.does == "step" ? 1 : 0;
  }
  void run(StepContext&, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    outputs[0] = inputs[0];
    if (options_.does == "draw") outputs[0] = inputs[0].add(at::rand_like(inputs[0]));
    if (options_.does == "fail" && inputs[0].size(0) == 3) outputs[0] = inputs[0].reshape({1000});
  }

 private:
  OddOptions options_;
};

ReplicasTraining odd_training(const std::string& does,
                              std::vector<std::string> fetches = {"loss"}) {
  registry<NetworkOp>().add<OddOp>("odd", "Does something odd.");
  std::vector<Choice<NetworkOp>> ops = supervised_ops({});
  ops.insert(ops.begin() + 1, choose<NetworkOp>("odd", OddOptions{does}));
  return {ReplicasSettings(), ops, std::move(fetches)};
}

TEST(ReplicasFaults, NameTheOpAndTheShapesOfTheReplicaThatFailed) {
  ReplicasTraining training = odd_training("fail");
  const std::string fault = message_of<GraphError>([&] { (void)training.run(1, 5); });
  EXPECT_EQ(fault.rfind("network[1] odd failed on float32 [3, 3]: ", 0), 0u) << fault;
  // It leaves no gradients behind, neither in the replica that went on nor in the first.
  ReplicasTraining untouched = odd_training("fail");
  training.restore(untouched.state());
  EXPECT_TRUE(training.run(2, 4)[0].equal(untouched.run(2, 4)[0]));
  EXPECT_TRUE(training.run(3, 4)[0].equal(untouched.run(3, 4)[0]));
}

TEST(ReplicasFaults, RefuseDrawsFromTheSharedGenerator) {
  ReplicasTraining training = odd_training("draw");
  EXPECT_EQ(message_of<GraphError>([&] { (void)training.run(1, 5); }),
            "replicas: a layer or an op drew from LibTorch's generator, which all replicas share, "
            "so that results would differ from run to run. Let it draw from random_generator() of "
            "hearth/kernels/random_stream.h, or use replicas: 1.");
}

TEST(ReplicasFaults, RefuseAnUpdateThatCannotBeJoined) {
  EXPECT_EQ(message_of<ConfigError>([] { (void)odd_training("step"); }),
            "network[1] odd makes steps by itself, which replicas cannot share. Use replicas: 1.");
}

TEST(ReplicasFaults, RefuseAWholeNumberOfTheBatchThatIsMeasured) {
  EXPECT_EQ(message_of<ConfigError>([] {
              (void)odd_training("nothing", {"loss", "count"});
            }),
            "network[1] odd writes 'count', int64 [] for the whole batch, and replicas "
            "would have to take the mean of it. Use replicas: 1, or leave 'count' unmeasured.");
}

TEST(ReplicasFaults, RefuseDevicesButTheProcessor) {
  const std::string message = message_of<ConfigError>([] {
    const Network network({{"net", {.build = layers::mlp({.hidden = {4}, .classes = 2})}}},
                          supervised_ops({}), 7, at::kMeta, Kernels::kFast, {.shards = 2});
  });
  EXPECT_EQ(message,
            "training batches are cut into 2 parts, for replicas, shards or processes that train "
            "together, which needs device: cpu, but it is meta. Use device: cpu, or train in one "
            "process with replicas: 1.");
}

TEST(ReplicasFaults, RefuseHooksWhichWouldSeeOnePartOnly) {
  ReplicasTraining training{ReplicasSettings()};
  training.layer().children()[0].second->add_hook_after([](const Layer&, at::Tensor&) {});
  EXPECT_EQ(message_of<GraphError>([&] { (void)training.run(1, 5); }),
            "replicas: the model 'net' has hooks, which would be called for one replica's samples "
            "only. Use replicas: 1.");
  training.layer().clear_hooks();
  EXPECT_EQ(training.run(1, 5).size(), 2u);
}

TEST(ReplicasFaults, RefuseKeysOfDifferentRows) {
  ReplicasTraining training{ReplicasSettings()};
  const auto batch = training.batch_of(1, 5);
  EXPECT_EQ(
      message_of<GraphError>([&] { (void)training.run(batch.input, batch.label.narrow(0, 0, 4)); }),
      "replicas: the batch's keys have 5 and 4 rows, so that it cannot be split. Use "
      "replicas: 1.");
}

}  // namespace
}  // namespace hearth
