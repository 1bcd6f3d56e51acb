// The network: models and the ops that run on each batch, as the device side of a plan.
#include "hearth/network/network.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <optional>

#include "hearth/network/averaged_weights.h"
#include "hearth/network/packed_step.h"
#include "hearth/tensor/convert.h"

namespace hearth {
namespace {

bool has_update(const std::vector<NetworkCall>& calls) {
  return std::any_of(calls.begin(), calls.end(),
                     [](const NetworkCall& call) { return call.is_update(); });
}

bool is_looked_at(const std::vector<NetworkCall>& calls) {
  return std::any_of(calls.begin(), calls.end(),
                     [](const NetworkCall& call) { return call.op->looks_at_parameters(); });
}

bool is_empty(const State& state) { return state.tensors.empty() && state.values.empty(); }

// Where what a replica's op has in progress is kept, for ops that have any.
std::string twin_place(const NetworkCall& call, size_t twin) {
  return "replicas/" + std::to_string(twin + 1) + "/" + call.label;
}

}  // namespace

Network::Network(const std::map<std::string, ModelOptions>& models,
                 const std::vector<Choice<NetworkOp>>& ops, uint64_t seed, at::Device device,
                 Kernels kernels, int64_t replicas)
    : ops_(plan_all("network", ops)) {
  models_.seed = seed;
  models_.device = device;
  models_.kernels = kernels;
  for (const auto& [name, options] : models) models_.add(std::make_unique<Model>(name, options));
  if (replicas > 1) replicas_ = std::make_unique<Replicas>(models, ops, models_, replicas);
}

Network::Nodes Network::nodes(const Moment& moment) {
  Nodes result;
  for (size_t i = 0; i < ops_.size(); ++i) {
    Planned<NetworkOp>& planned = ops_[i];
    std::shared_ptr<NetworkOp> op = planned.at(moment);
    op->bind(models_);
    const Replicas::Ops twins = replicas_ ? replicas_->twins(*op, i, moment) : Replicas::Ops();
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
    node.infer = [op, twins](const std::vector<Spec>& inputs) {
      std::vector<Spec> outputs = op->infer(inputs);
      for (const auto& twin : twins) (void)twin->infer(inputs);
      return outputs;
    };
    result.nodes.push_back(std::move(node));
    result.ops.push_back(std::move(op));
  }
  return result;
}

std::vector<NetworkCall> Network::calls(
    const Plan& plan, const std::vector<GraphNode>& nodes,
    const std::vector<std::shared_ptr<NetworkOp>>& ops_by_node) const {
  std::vector<NetworkCall> calls;
  for (const PlanStep& step : plan.steps)
    if (nodes[step.node].place == Place::kNetwork)
      calls.push_back(
          {ops_by_node[step.node], nodes[step.node].name, step.inputs, step.outputs, true});
  // Every update but the last leaves the autograd graph for those after it.
  bool is_later_update = false;
  for (size_t i = calls.size(); i-- > 0;) {
    calls[i].is_last_update = !is_later_update;
    is_later_update = is_later_update || calls[i].is_update();
  }
  if (replicas_) replicas_->complete(calls, plan);
  return calls;
}

void Network::run(const std::vector<NetworkCall>& calls, StepContext& context,
                  std::vector<at::Tensor>& values) {
  const bool learns = context.mode == Mode::kTrain && has_update(calls);
  std::optional<PackedStep> packed;
  if (learns)
    packed.emplace(models_, replicas_ ? replicas_->find_holders() : 0, !is_looked_at(calls));
  if (learns && replicas_) return replicas_->run(calls, context, values, profile_);
  const at::AutoGradMode gradients(context.mode == Mode::kTrain);
  std::optional<AveragedWeights> averaged;
  if (context.mode != Mode::kTrain) averaged.emplace(models_);
  for (const NetworkCall& call : calls) run_call(call, *call.op, context, values, profile_);
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
    for (const NetworkCall& before : from) {
      if (before.label != next.label || before.op == next.op) continue;
      next.op->restore(before.op->state());
      for (size_t r = 0; r < next.twins.size() && !next.is_update(); ++r)
        next.twins[r]->restore(before.twins[r]->state());
    }
}

// Between batches, replicas of an update have nothing of their own.
State Network::state(const std::vector<NetworkCall>& calls) const {
  State state;
  for (const auto& model : models_.all()) state.add("models/" + model->name(), model->state());
  for (const NetworkCall& call : calls) {
    state.add("ops/" + call.label, call.op->state());
    for (size_t r = 0; r < call.twins.size() && !call.is_update(); ++r) {
      const State twin = call.twins[r]->state();
      if (!is_empty(twin)) state.add(twin_place(call, r), twin);
    }
  }
  return state;
}

void Network::restore(const State& state, const std::vector<NetworkCall>& calls) {
  for (const auto& model : models_.all()) model->restore(state.part("models/" + model->name()));
  for (const NetworkCall& call : calls) {
    const State first = state.part("ops/" + call.label);
    call.op->restore(first);
    for (size_t r = 0; r < call.twins.size() && !call.is_update(); ++r) {
      const State own = state.part(twin_place(call, r));
      call.twins[r]->restore(is_empty(own) ? first : own);
    }
  }
}

}  // namespace hearth
