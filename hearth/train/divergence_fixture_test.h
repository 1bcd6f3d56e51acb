// For tests of values that are no finite numbers: a small training, one step of which is spoilt.
#pragma once

#include <ATen/TensorOperators.h>
#include <ATen/ops/sqrt.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>

#include "hearth/config/registry.h"
#include "hearth/data/sources/synthetic.h"
#include "hearth/metric/metrics/classification/accuracy.h"
#include "hearth/network/network_op.h"
#include "hearth/network/ops/call.h"
#include "hearth/network/ops/cross_entropy.h"
#include "hearth/network/ops/update.h"
#include "hearth/nn/architectures/mlp.h"
#include "hearth/optim/optimizers/sgd.h"
#include "hearth/train/estimator.h"

namespace hearth {

struct SpoilOptions {
  int64_t step = 3;
  bool only_gradient = false;
  static const Schema<SpoilOptions>& schema() {
    static const auto fields =
        Schema<SpoilOptions>()
            .field(&SpoilOptions::step, "step", "Step that is spoilt.")
            .field(&SpoilOptions::only_gradient, "only_gradient", "The loss stays finite.");
    return fields;
  }
};

// The loss is as it was, but for one step.
class SpoilOp : public NetworkOp {
 public:
  using Options = SpoilOptions;
  explicit SpoilOp(Options options) : options_(options) {}
  [[nodiscard]] std::vector<std::string> reads() const override { return {"loss"}; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {"spoilt"}; }
  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override { return inputs; }
  void run(StepContext& context, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    outputs[0] = inputs[0];
    if (context.moment.step + 1 != options_.step) return;
    // At 0 the root has no slope.
    outputs[0] = options_.only_gradient ? inputs[0] + at::sqrt(inputs[0] * 0)
                                        : inputs[0] * std::numeric_limits<double>::quiet_NaN();
  }

 private:
  Options options_;
};

inline ExperimentOptions spoilt_experiment(const SpoilOptions& spoil = {}) {
  static const bool is_known = [] {
    registry<NetworkOp>().add<SpoilOp>("spoil", "Spoils a step.");
    return true;
  }();
  (void)is_known;
  ExperimentOptions options;
  options.name = "spoilt";
  options.folder = (std::filesystem::path(testing::TempDir()) / "divergence_runs").string();
  options.data.train = sources::synthetic({.size = 40, .shape = {1, 4, 4}, .classes = 3});
  options.data.batch_size = 8;  // five steps per epoch
  options.models["net"].build = layers::mlp({.hidden = {8}});
  options.models["net"].optimizer = optimizers::sgd({.lr = 0.05});
  options.network = {network_ops::call(), network_ops::cross_entropy(),
                     choose<NetworkOp>("spoil", spoil), network_ops::update({.loss = "spoilt"})};
  options.metrics = {metrics::accuracy()};  // the loss is not measured
  options.predict.out = {"logits"};
  options.train.epochs = 2;
  options.train.checkpoint.every = steps(1);
  return options;
}

}  // namespace hearth
