// An experiment put together piece by piece, in any order, and verified as a whole: next to the
// struct of options, which says everything at once. Needs no LibTorch header.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hearth/experiment/options.h"
#include "hearth/train/estimator.h"

namespace hearth {

class Experiment {
 public:
  explicit Experiment(std::string name = "experiment") { options_.name = std::move(name); }

  // What is added twice under one name replaces the first.
  Experiment& add_train_data(Choice<Source> source);
  Experiment& add_eval_data(Choice<Source> source);
  Experiment& add_test_data(Choice<Source> source);
  Experiment& add_sample_op(Choice<SampleOp> op);
  Experiment& add_model(Choice<Layer> layer, const std::string& name = "net");
  Experiment& add_optimizer(Choice<Optimizer> optimizer, const std::string& model = "net");
  // Of one model called net, in short; or ops, in order, which say all that runs on a batch.
  Experiment& add_loss(Choice<NetworkOp> loss);
  Experiment& add_op(Choice<NetworkOp> op);
  Experiment& add_metric(Choice<Metric> metric);
  Experiment& add_trace(Choice<Trace> trace);
  Experiment& add_technique(Choice<Technique> technique);

  // Changes of what is there: any option, a model by its name, or a word as on the command line,
  // `train.epochs=3`, which counts last.
  Experiment& update(const std::function<void(ExperimentOptions&)>& change);
  Experiment& update_model(const std::string& name,
                           const std::function<void(ModelOptions&)>& change);
  Experiment& update(const std::string& word);

  // What is still missing, a line each; nothing when it can be applied.
  [[nodiscard]] std::vector<std::string> missing() const;
  // Verifies everything at once, data and plans too. ConfigError says all that is missing; then
  // errors are those of an Estimator. It may be changed and applied again.
  [[nodiscard]] Estimator apply(EstimatorSettings settings = {}) const;

 private:
  [[nodiscard]] bool is_short() const { return options_.network.empty(); }

  ExperimentOptions options_;
  std::vector<std::string> words_;
};

}  // namespace hearth
