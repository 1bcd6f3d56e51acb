// For tests: a network of two models trained on batches that depend on their number, and the same
// by hand.
#pragma once

#include <ATen/Context.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/config/yaml.h"
#include "hearth/network/network.h"
#include "hearth/tensor/convert.h"

namespace hearth {

// {clip_norm: {at: 1}} as the config has it.
inline Choice<NetworkOp> op_of(const std::string& yaml) {
  return TypeOf<Choice<NetworkOp>>::read(parse_yaml(yaml, "test.yaml"));
}

class NetworkTraining {
 public:
  NetworkTraining(const std::map<std::string, ModelOptions>& models,
                  const std::vector<std::string>& ops, int64_t replicas = 1,
                  std::vector<std::string> fetches = {"loss"}, Kernels kernels = Kernels::kFast,
                  std::vector<int64_t> sample = {5})
      : sample_(std::move(sample)), network_(models, choices(ops), 7, at::kCPU, kernels, replicas) {
    moment_.length = {100, 100, 1};
    const std::vector<GraphNode> all = network_.nodes(moment_);
    CompileRequest request{.mode = Mode::kTrain, .fetches = std::move(fetches)};
    const auto [input, label] = batch_of(0, sample_);
    Spec classes = spec_of(label);
    classes.classes = 3;
    request.feeds = {{"input", spec_of(input)}, {"label", classes}};
    plan_ = compile(all, request);
    ops_ = network_.bind(plan_, all);
  }

  // Trains on a batch; the fetched values.
  std::vector<at::Tensor> run(int64_t number) {
    const auto [input, label] = batch_of(number, sample_);
    std::vector<at::Tensor> values(plan_.values.size());
    values[static_cast<size_t>(plan_.index_of("input"))] = input;
    if (plan_.index_of("label") >= 0) values[static_cast<size_t>(plan_.index_of("label"))] = label;
    StepContext context;
    context.moment = moment_;
    network_.run(ops_, context, values);
    if (context.has_updated) ++moment_.step;
    std::vector<at::Tensor> fetched;
    for (const int index : plan_.fetches)
      fetched.push_back(values[static_cast<size_t>(index)].detach().clone());
    return fetched;
  }
  void run(int64_t first, int64_t end) {
    for (int64_t number = first; number < end; ++number) (void)run(number);
  }

  struct Batch {
    at::Tensor input, label;
  };
  // Leaves LibTorch's generator seeded for this batch, as the trainer does.
  [[nodiscard]] static Batch batch_of(int64_t number, std::vector<int64_t> sample = {5}) {
    at::manual_seed(static_cast<uint64_t>(number));
    sample.insert(sample.begin(), 6);
    return {at::randn(sample), at::randint(3, {6}, at::kLong)};
  }

  Network& network() { return network_; }
  [[nodiscard]] std::vector<std::string> packing_obstacles() const {
    return network_.packing_obstacles(ops_);
  }
  [[nodiscard]] int64_t step() const { return moment_.step; }
  Layer& layer(const std::string& model = "net") { return network_.models().find(model).layer(); }
  std::vector<at::Tensor> values(const std::string& model = "net") {
    std::vector<at::Tensor> copies;
    for (const auto& [name, parameter] : layer(model).parameters())
      copies.push_back(parameter.detach().clone());
    return copies;
  }
  [[nodiscard]] State state() { return copy(network_.state(ops_)); }
  void restore(const State& state, int64_t step) {
    network_.restore(state, ops_);
    moment_.step = step;
  }

 private:
  static std::vector<Choice<NetworkOp>> choices(const std::vector<std::string>& ops) {
    std::vector<Choice<NetworkOp>> all;
    for (const std::string& op : ops) all.push_back(op_of(op));
    return all;
  }

  std::vector<int64_t> sample_;
  Network network_;
  Moment moment_;
  Plan plan_;
  std::vector<BoundOp> ops_;
};

inline void expect_equal(const std::vector<at::Tensor>& found,
                         const std::vector<at::Tensor>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(found[i].equal(expected[i])) << i;
}

inline void expect_near(const std::vector<at::Tensor>& found,
                        const std::vector<at::Tensor>& expected, double tolerance = 1e-6) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_TRUE(found[i].allclose(expected[i], 10 * tolerance, tolerance)) << i;
}

}  // namespace hearth
