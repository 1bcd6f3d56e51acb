// An experiment put together piece by piece, and verified as a whole.
#include "hearth/train/experiment.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/train/run_config.h"

namespace hearth {
namespace {

// What the short form has no place for.
bool needs_ops(const ModelOptions& model) { return !model.optimizers.empty() || !model.trainable; }

// What the model leaves open stays as the experiment has it.
void use_as_shorthand(const ModelOptions& model, ExperimentOptions& whole) {
  whole.model = model.build;
  if (model.optimizer) whole.optimizer = model.optimizer;
  if (model.weights) whole.weights = model.weights;
  if (model.average) whole.average = model.average;
  if (!model.edits.empty()) whole.edits = model.edits;
  if (!model.defaults.node().is_null()) whole.defaults = model.defaults;
  if (!model.groups.empty()) whole.groups = model.groups;
  if (model.decay != ModelOptions().decay) whole.decay = model.decay;
  if (!model.place.empty()) whole.place = model.place;
}

}  // namespace

Experiment& Experiment::add_train_data(Choice<Source> source) {
  options_.data.train = std::move(source);
  return *this;
}
Experiment& Experiment::add_eval_data(Choice<Source> source) {
  options_.data.eval = std::move(source);
  return *this;
}
Experiment& Experiment::add_test_data(Choice<Source> source) {
  options_.data.test = std::move(source);
  return *this;
}
Experiment& Experiment::add_sample_op(Choice<SampleOp> op) {
  options_.data.ops.push_back(std::move(op));
  return *this;
}
Experiment& Experiment::add_model(Choice<Layer> layer, const std::string& name) {
  options_.models[name].build = std::move(layer);
  return *this;
}
Experiment& Experiment::add_optimizer(Choice<Optimizer> optimizer, const std::string& model) {
  options_.models[model].optimizer = std::move(optimizer);
  return *this;
}
Experiment& Experiment::add_loss(Choice<NetworkOp> loss) {
  options_.loss = std::move(loss);
  return *this;
}
Experiment& Experiment::add_op(Choice<NetworkOp> op) {
  options_.network.push_back(std::move(op));
  return *this;
}
Experiment& Experiment::add_metric(Choice<Metric> metric) {
  options_.metrics.push_back(std::move(metric));
  return *this;
}
Experiment& Experiment::add_trace(Choice<Trace> trace) {
  options_.train.traces.push_back(std::move(trace));
  return *this;
}
Experiment& Experiment::add_technique(Choice<Technique> technique) {
  options_.techniques.push_back(std::move(technique));
  return *this;
}

Experiment& Experiment::update(const std::function<void(ExperimentOptions&)>& change) {
  change(options_);
  return *this;
}

Experiment& Experiment::update_model(const std::string& name,
                                     const std::function<void(ModelOptions&)>& change) {
  std::vector<std::string> known;
  for (const auto& [model, unused] : options_.models) known.push_back(model);
  if (!options_.models.contains(name))
    throw ConfigError("there is no model " + quote(name) + " to update. Add it with add_model." +
                      did_you_mean(name, known));
  change(options_.models.at(name));
  return *this;
}

Experiment& Experiment::update(const std::string& word) {
  words_.push_back(word);
  return *this;
}

std::vector<std::string> Experiment::missing() const {
  std::vector<std::string> lines;
  if (options_.data.train.all().empty())
    lines.emplace_back("data to train on: add_train_data(sources::...)");
  if (options_.models.empty() && !options_.model)
    lines.emplace_back("a model: add_model(layers::...)");
  for (const auto& [name, model] : options_.models)
    if (model.build.is_empty())
      lines.push_back("what the model " + quote(name) + " is made of: add_model(layers::..., \"" +
                      name + "\")");
  const bool has_optimizer =
      options_.optimizer ||
      std::any_of(options_.models.begin(), options_.models.end(), [](const auto& named) {
        return named.second.optimizer || !named.second.optimizers.empty();
      });
  if (!has_optimizer) lines.emplace_back("an optimizer: add_optimizer(optimizers::...)");
  if (is_short() && options_.models.size() > 1)
    lines.emplace_back("ops that say how several models work together: add_op(network_ops::...)");
  if (is_short() && options_.models.size() == 1 && needs_ops(options_.models.begin()->second))
    lines.push_back("ops that say what moves the model " + quote(options_.models.begin()->first) +
                    ", which has more than one optimizer or stays as it is: "
                    "add_op(network_ops::...)");
  return lines;
}

Estimator Experiment::apply(EstimatorSettings settings) const {
  if (const std::vector<std::string> lines = missing(); !lines.empty())
    throw ConfigError("the experiment " + quote(options_.name) + " still needs:\n  " +
                      join(lines, "\n  "));
  ExperimentOptions whole = options_;
  if (is_short() && whole.models.size() == 1) {
    const ModelOptions only = whole.models.begin()->second;
    whole.models.clear();
    use_as_shorthand(only, whole);
  }
  return Estimator(effective_config(whole, words_), std::move(settings));
}

}  // namespace hearth
