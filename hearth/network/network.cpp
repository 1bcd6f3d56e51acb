// The network: models and the ops that run on each batch, as the device side of a plan.
#include "hearth/network/network.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <optional>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/network/averaged_weights.h"
#include "hearth/nn/call_profile.h"
#include "hearth/tensor/convert.h"

namespace hearth {
namespace {

std::string keys_and_shapes(std::span<const at::Tensor> inputs) {
  std::vector<std::string> texts;
  for (const at::Tensor& input : inputs) texts.push_back(describe(input));
  return join(texts, ", ");
}

// LibTorch's exceptions get the op and the shapes at this border.
void run_call(const NetworkCall& call, StepContext& context, std::span<const at::Tensor> inputs,
              std::span<at::Tensor> outputs) {
  try {
    call.op->run(context, inputs, outputs);
  } catch (const std::exception&) {
    throw GraphError(call.label + " failed on " + keys_and_shapes(inputs) + ": " +
                     what_libtorch_threw());
  }
}

}  // namespace

Network::Network(const std::map<std::string, ModelOptions>& models,
                 const std::vector<Choice<NetworkOp>>& ops, uint64_t seed, at::Device device,
                 Kernels kernels)
    : ops_(plan_all("network", ops)) {
  models_.seed = seed;
  models_.device = device;
  models_.kernels = kernels;
  for (const auto& [name, options] : models) models_.add(std::make_unique<Model>(name, options));
}

Network::Nodes Network::nodes(const Moment& moment) {
  Nodes result;
  for (Planned<NetworkOp>& planned : ops_) {
    std::shared_ptr<NetworkOp> op = planned.at(moment);
    op->bind(models_);
    GraphNode node;
    node.name = planned.label();
    node.place = Place::kNetwork;
    node.reads = op->reads();
    node.writes = op->writes();
    node.modes = planned.window().modes.value_or(op->modes());
    node.is_active = planned.window().is_open(moment);
    node.has_effect = op->has_effect();
    node.mark = planned.mark();
    node.signature = planned.signature(moment);
    node.infer = [op](const std::vector<Spec>& inputs) { return op->infer(inputs); };
    result.nodes.push_back(std::move(node));
    result.ops.push_back(std::move(op));
  }
  return result;
}

std::vector<NetworkCall> Network::calls(
    const Plan& plan, const std::vector<GraphNode>& nodes,
    const std::vector<std::shared_ptr<NetworkOp>>& ops_by_node) {
  std::vector<NetworkCall> calls;
  for (const PlanStep& step : plan.steps)
    if (nodes[step.node].place == Place::kNetwork)
      calls.push_back(
          {ops_by_node[step.node], nodes[step.node].name, step.inputs, step.outputs, true});
  // Every update but the last leaves the autograd graph for those after it.
  bool is_later_update = false;
  for (size_t i = calls.size(); i-- > 0;) {
    calls[i].is_last_update = !is_later_update;
    is_later_update = is_later_update || calls[i].op->batches_per_step() > 0;
  }
  return calls;
}

void Network::run(const std::vector<NetworkCall>& calls, StepContext& context,
                  std::vector<at::Tensor>& values) {
  const at::AutoGradMode gradients(context.mode == Mode::kTrain);
  std::optional<AveragedWeights> averaged;
  if (context.mode != Mode::kTrain) averaged.emplace(models_);
  std::vector<at::Tensor> inputs;
  std::vector<at::Tensor> outputs;
  for (const NetworkCall& call : calls) {
    inputs.clear();
    for (int slot : call.inputs) inputs.push_back(values[static_cast<size_t>(slot)]);
    outputs.assign(call.outputs.size(), at::Tensor());
    context.is_last_update = call.is_last_update;
    {
      const ProfiledCall profiled(profile_,
                                  [&](CallProfile& profile) { profile.enter(call.label); });
      run_call(call, context, inputs, outputs);
    }
    for (size_t k = 0; k < outputs.size(); ++k)
      if (call.outputs[k] >= 0)
        values[static_cast<size_t>(call.outputs[k])] = std::move(outputs[k]);
  }
}

Tensors Network::run(const Tensors& feeds, const std::vector<std::string>& fetches, Mode mode) {
  Moment moment;
  moment.length = {1, 1, 1};
  const Nodes all = nodes(moment);
  CompileRequest request{mode, 0, fetches, {}};
  for (const auto& [key, tensor] : feeds) request.feeds.push_back({key, spec_of(tensor)});
  const Plan plan = compile(all.nodes, request);
  std::vector<at::Tensor> values(plan.values.size());
  for (const auto& [key, tensor] : feeds)
    for (size_t slot = 0; slot < plan.values.size(); ++slot)
      if (plan.values[slot].key == key) values[slot] = tensor.to(models_.device);
  StepContext context;
  context.mode = mode;
  context.moment = moment;
  run(calls(plan, all.nodes, all.ops), context, values);
  Tensors results;
  for (size_t k = 0; k < fetches.size(); ++k)
    results[fetches[k]] = values[static_cast<size_t>(plan.fetches[k])];
  return results;
}

void Network::set_profile(CallProfile* profile) {
  profile_ = profile;
  for (const auto& model : models_.all()) model->layer().set_profile(profile);
}

int64_t Network::batches_per_step(const Moment& moment) {
  int64_t smallest = 0;
  for (Planned<NetworkOp>& planned : ops_) {
    const int64_t batches = planned.at(moment)->batches_per_step();
    if (batches > 0) smallest = smallest == 0 ? batches : std::min(smallest, batches);
  }
  return std::max<int64_t>(smallest, 1);
}

std::vector<int64_t> Network::changes(const TrainingLength& length) const {
  std::vector<int64_t> steps;
  for (const Planned<NetworkOp>& planned : ops_)
    for (int64_t step : planned.changes(length)) steps.push_back(step);
  for (const auto& model : models_.all())
    if (Optimizer* optimizer = model->optimizer())
      for (int64_t step : optimizer->changes(length)) steps.push_back(step);
  return steps;
}

void Network::carry_over(const std::vector<NetworkCall>& from, const std::vector<NetworkCall>& to) {
  for (const NetworkCall& next : to)
    for (const NetworkCall& before : from)
      if (before.label == next.label && before.op != next.op) next.op->restore(before.op->state());
}

State Network::state(const std::vector<NetworkCall>& calls) const {
  State state;
  for (const auto& model : models_.all()) state.add("models/" + model->name(), model->state());
  for (const NetworkCall& call : calls) state.add("ops/" + call.label, call.op->state());
  return state;
}

void Network::restore(const State& state, const std::vector<NetworkCall>& calls) {
  for (const auto& model : models_.all()) model->restore(state.part("models/" + model->name()));
  for (const NetworkCall& call : calls) call.op->restore(state.part("ops/" + call.label));
}

}  // namespace hearth
