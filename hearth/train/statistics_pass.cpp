// Statistics of batch norms from a pass over training data.
#include "hearth/train/statistics_pass.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <set>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/network/averaged_weights.h"
#include "hearth/network/ops/call.h"

namespace hearth {
namespace {

void add_norms(Layer& layer, std::vector<BatchNormOfChannels*>& found) {
  if (auto* norm = dynamic_cast<BatchNormOfChannels*>(&layer)) found.push_back(norm);
  for (const auto& [name, child] : layer.children()) add_norms(*child, found);
}

// Batch norms learn statistics for a while; all else behaves as in evaluation.
class Gathering {
 public:
  Gathering(Layer& layer, const std::vector<BatchNormOfChannels*>& norms) : norms_(norms) {
    layer.set_training(false);
    for (BatchNormOfChannels* norm : norms_) {
      norm->set_training(true);
      norm->begin_statistics();
    }
  }
  ~Gathering() {
    for (BatchNormOfChannels* norm : norms_) {
      norm->end_statistics();
      norm->set_training(false);
    }
  }
  Gathering(const Gathering&) = delete;
  Gathering& operator=(const Gathering&) = delete;

 private:
  const std::vector<BatchNormOfChannels*>& norms_;
};

}  // namespace

StatisticsPass::StatisticsPass(ExperimentGraph& experiment, const std::string& model, int64_t epoch)
    : experiment_(experiment),
      model_(experiment.network().models().find(model)),
      epoch_(epoch),
      runner_(experiment.network()) {
  if (!model_.is_built()) throw GraphError("the model " + quote(model) + " is never called.");
  add_norms(model_.layer(), norms_);
  if (norms_.empty()) return;
  find_calls();
  find_feeding_ops();
}

// In whatever modes they are: a mean of models is often called in evaluation only.
void StatisticsPass::find_calls() {
  for (const Choice<NetworkOp>& op : experiment_.options().network) {
    if (op.name() != "call") continue;
    const auto call = network_ops::CallOptions::schema().read(without_window(op.options()));
    if (call.model == model_.name() &&
        std::find(keys_.begin(), keys_.end(), call.in) == keys_.end())
      keys_.push_back(call.in);
  }
  std::vector<std::string> fetches;
  for (const auto& keys : keys_)
    for (const std::string& key : keys)
      if (std::find(fetches.begin(), fetches.end(), key) == fetches.end()) fetches.push_back(key);
  compiled_ = experiment_.compiled(Mode::kTrain, experiment_.epoch_end(epoch_), fetches);
  for (const auto& keys : keys_) {
    Inputs inputs;
    for (const std::string& key : keys) {
      const auto index = std::find(fetches.begin(), fetches.end(), key) - fetches.begin();
      inputs.push_back(compiled_.plan.fetches[static_cast<size_t>(index)]);
    }
    calls_.push_back(std::move(inputs));
  }
}

void StatisticsPass::find_feeding_ops() {
  std::set<int> wanted;
  for (const Inputs& inputs : calls_) wanted.insert(inputs.begin(), inputs.end());
  for (size_t i = compiled_.ops.size(); i-- > 0;) {
    const BoundOp& bound = compiled_.ops[i];
    if (bound.op->has_effect() || bound.op->takes_gradients()) continue;
    if (std::none_of(bound.outputs.begin(), bound.outputs.end(),
                     [&](int index) { return wanted.contains(index); }))
      continue;
    wanted.insert(bound.inputs.begin(), bound.inputs.end());
    feeding_.insert(feeding_.begin(), bound);
  }
}

void StatisticsPass::run_batch(const HostBatch& batch) {
  runner_.load(compiled_, batch);
  std::vector<at::Tensor> values = runner_.values();
  StepContext context;
  context.mode = Mode::kEval;
  context.moment = experiment_.epoch_end(epoch_);
  for (const BoundOp& bound : feeding_) {
    bound.op->use_specs(bound.input_specs);
    run_bound_op(bound, *bound.op, context, values, nullptr);
  }
  for (const Inputs& call : calls_) {
    std::vector<at::Tensor> inputs;
    for (const int index : call) inputs.push_back(values[static_cast<size_t>(index)]);
    std::vector<at::Tensor> outputs(model_.layer().output_specs().size());
    model_.layer()(inputs, outputs);
  }
  runner_.clear();
}

bool StatisticsPass::run(int64_t batches,
                         const std::function<bool(int64_t number, int64_t all)>& goes_on) {
  if (norms_.empty()) return true;
  const at::AutoGradMode no_gradients(false);
  const AveragedWeights averaged(experiment_.network().models());
  std::vector<std::pair<at::Tensor, at::Tensor>> before;
  for (const auto& [name, buffer] : model_.layer().buffers())
    before.emplace_back(buffer, buffer.clone());
  const Gathering gathering(model_.layer(), norms_);
  const int64_t all = experiment_.batches(Mode::kTrain, epoch_);
  const int64_t wanted = batches > 0 ? std::min(batches, all) : all;
  Loader loader(experiment_.source(Mode::kTrain)->size(),
                experiment_.loader_options(Mode::kTrain, epoch_ + 1),
                [&](int64_t, int64_t) { return compiled_.data; });
  loader.start(epoch_, 0, epoch_ + 1);
  for (int64_t number = 0; number < wanted; ++number) {
    if (!goes_on(number, wanted)) {
      for (const auto& [buffer, values] : before) buffer.copy_(values);
      return false;
    }
    run_batch(loader.next());
  }
  return true;
}

}  // namespace hearth
