// For tests: a small network of one or more replicas, trained on batches that depend on their
// number.
#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hearth/network/network.h"
#include "hearth/network/ops/call.h"
#include "hearth/network/ops/cross_entropy.h"
#include "hearth/network/ops/update.h"
#include "hearth/nn/architectures/mlp.h"
#include "hearth/optim/optimizers/sgd.h"
#include "hearth/tensor/convert.h"

namespace hearth {

struct ReplicasSettings {
  int64_t replicas = 2;
  int64_t threads = 0;  // that compute them; 0: one for each
  Choice<Layer> model = layers::mlp({.hidden = {16}, .classes = 3});
  Choice<Optimizer> optimizer = optimizers::sgd({.lr = 0.1, .momentum = 0.9});
  std::optional<double> average = {};
  network_ops::UpdateOptions step = {};
  Kernels kernels = Kernels::kFast;
  std::vector<int64_t> sample = {6};
  std::optional<SyncReplicasOptions> sync = {};
};

inline std::vector<Choice<NetworkOp>> supervised_ops(const network_ops::UpdateOptions& step) {
  return {network_ops::call({.in = {"input"}}),
          network_ops::cross_entropy({.in = {"logits", "label"}}), network_ops::update(step)};
}

class ReplicasTraining {
 public:
  ReplicasTraining(const ReplicasSettings& settings, const std::vector<Choice<NetworkOp>>& ops,
                   std::vector<std::string> fetches = {"loss", "logits"})
      : sample_(settings.sample),
        network_({{"net", model_options(settings)}, {"other", model_options(settings)}}, ops, 7,
                 at::kCPU, settings.kernels, sharding_of(settings)) {
    Moment moment;
    moment.length = {1, 1, 1};
    context_.moment = moment;
    const std::vector<GraphNode> all = network_.nodes(moment);
    CompileRequest request{.mode = Mode::kTrain, .fetches = std::move(fetches)};
    const Batch batch = batch_of(0, 4);
    request.feeds = {{"input", spec_of(batch.input)}, {"label", spec_of(batch.label)}};
    plan_ = compile(all, request);
    ops_ = network_.bind(plan_, all);
  }
  explicit ReplicasTraining(const ReplicasSettings& settings)
      : ReplicasTraining(settings, supervised_ops(settings.step)) {}

  // Trains on one batch; the values of the fetched keys.
  std::vector<at::Tensor> run(int64_t number, int64_t rows) {
    const Batch batch = batch_of(number, rows);
    return run(batch.input, batch.label);
  }
  std::vector<at::Tensor> run(const at::Tensor& input, const at::Tensor& label) {
    std::vector<at::Tensor> values(plan_.values.size());
    values[static_cast<size_t>(plan_.index_of("input"))] = input;
    values[static_cast<size_t>(plan_.index_of("label"))] = label;
    network_.run(ops_, context_, values);
    std::vector<at::Tensor> fetched;
    for (int index : plan_.fetches)
      fetched.push_back(values[static_cast<size_t>(index)].detach().clone());
    return fetched;
  }

  struct Batch {
    at::Tensor input, label;
  };
  // Leaves LibTorch's generator seeded for this batch, as the trainer does.
  [[nodiscard]] Batch batch_of(int64_t number, int64_t rows) const {
    at::manual_seed(static_cast<uint64_t>(number));
    std::vector<int64_t> sizes = {rows};
    sizes.insert(sizes.end(), sample_.begin(), sample_.end());
    return {at::randn(sizes), at::randint(3, {rows}, at::kLong)};
  }

  [[nodiscard]] State state() { return copy(network_.state(ops_)); }
  void restore(const State& state) { network_.restore(state, ops_); }
  Network& network() { return network_; }
  Layer& layer(const std::string& model = "net") { return network_.models().find(model).layer(); }

 private:
  static Sharding sharding_of(const ReplicasSettings& settings) {
    return {.shards = settings.replicas,
            .threads = settings.threads > 0 ? settings.threads : settings.replicas,
            .sync = settings.sync};
  }
  static ModelOptions model_options(const ReplicasSettings& settings) {
    return {.build = settings.model, .optimizer = settings.optimizer, .average = settings.average};
  }

  std::vector<int64_t> sample_;
  Network network_;
  Plan plan_;
  std::vector<BoundOp> ops_;
  StepContext context_;
};

// Bit by bit.
inline void expect_same_state(const State& left, const State& right) {
  EXPECT_EQ(left.values, right.values);
  ASSERT_EQ(left.tensors.size(), right.tensors.size());
  for (size_t i = 0; i < left.tensors.size(); ++i)
    EXPECT_TRUE(left.tensors[i].second.equal(right.tensors[i].second)) << left.tensors[i].first;
}

}  // namespace hearth
