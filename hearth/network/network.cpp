// The network: models and the ops that run on each batch, as the device side of a plan.
#include "hearth/network/network.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/network/averaged_weights.h"
#include "hearth/network/packed_step.h"
#include "hearth/network/rank_exchange.h"
#include "hearth/network/step_gathering.h"
#include "hearth/network/step_run.h"
#include "hearth/tensor/convert.h"

namespace hearth {
namespace {

bool has_update(const std::vector<BoundOp>& ops) {
  return std::any_of(ops.begin(), ops.end(),
                     [](const BoundOp& bound) { return bound.is_update(); });
}

// The first that may look at parameters; null when none does.
const BoundOp* looking_op(const std::vector<BoundOp>& ops) {
  for (const BoundOp& bound : ops)
    if (bound.op->looks_at_parameters()) return &bound;
  return nullptr;
}

std::vector<Spec> specs_of(const Plan& plan, const std::vector<int>& values) {
  std::vector<Spec> specs;
  for (const int index : values) {
    const PlanValue& value = plan.values[static_cast<size_t>(index)];
    specs.push_back(value.crosses_to_network ? in_network(value.spec) : value.spec);
  }
  return specs;
}

// The last op comes first: a model that is called with several shapes is laid out for its first.
void use_specs(const std::vector<BoundOp>& ops) {
  for (size_t i = ops.size(); i-- > 0;) {
    ops[i].op->use_specs(ops[i].input_specs);
    for (const auto& twin : ops[i].twins) twin->use_specs(ops[i].input_specs);
  }
}

// Whether all that it makes is one value for the batch.
bool makes_one_value(const Plan& plan, const PlanStep& step) {
  const auto is_one = [&](int index) {
    return index < 0 || plan.values[static_cast<size_t>(index)].spec.is_per_batch;
  };
  return !step.outputs.empty() && std::all_of(step.outputs.begin(), step.outputs.end(), is_one);
}

// Which inputs the op finds gradients of.
void find_losses(BoundOp& bound) {
  const std::vector<std::string> keys = bound.op->reads();
  const std::vector<std::string> losses = bound.op->losses();
  for (size_t k = 0; k < keys.size(); ++k)
    if (std::find(losses.begin(), losses.end(), keys[k]) != losses.end())
      bound.losses.push_back(bound.inputs[k]);
}

// Whether a step is made of the losses of several batches.
bool accumulates(const std::vector<BoundOp>& ops) {
  return std::any_of(ops.begin(), ops.end(),
                     [](const BoundOp& bound) { return bound.op->batches_per_step() > 1; });
}

// What losses are the mean of, while it lives.
class CountedLosses {
 public:
  CountedLosses(StepContext& context, size_t values) : context_(context), counts_(values) {
    context_.loss_counts = &counts_;
  }
  ~CountedLosses() { context_.loss_counts = nullptr; }
  CountedLosses(const CountedLosses&) = delete;
  CountedLosses& operator=(const CountedLosses&) = delete;

 private:
  StepContext& context_;
  std::vector<LossCount> counts_;
};

// Without a place of its own.
void add_all(const State& from, State& to) {
  to.tensors.insert(to.tensors.end(), from.tensors.begin(), from.tensors.end());
  to.values.merge_patch(from.values);
}

bool is_empty(const State& state) { return state.tensors.empty() && state.values.empty(); }

// Nothing has gradients outside of training.
void check_modes(const GraphComponent<NetworkOp>& component, const NetworkOp& op) {
  const std::optional<Modes>& given = component.window().modes;
  if (op.batches_per_step() == 0 || !given || *given == Modes(Mode::kTrain)) return;
  throw GraphError(component.label() + " runs in train only, but 'when' says " +
                   join(given->names(), ", ") + ".");
}

ModelOptimizers::Sharer sharer_of(const Sharding& sharding) {
  if (!sharding.group || sharding.shards < 2) return {};
  return {sharding.group->rank(), sharding.group->size()};
}

// Where what a shard's op has in progress is kept, for all shards but the first.
std::string shard_place(const BoundOp& bound, int64_t shard) {
  return "replicas/" + std::to_string(shard) + "/" + bound.label;
}

// Whether every shard has something of its own in progress.
bool has_shards(const BoundOp& bound) { return bound.op->sharing() != Sharing::kOnce; }

}  // namespace

Network::Network(const std::map<std::string, ModelOptions>& models,
                 const std::vector<Choice<NetworkOp>>& ops, uint64_t seed, at::Device device,
                 Kernels kernels, const Sharding& sharding)
    : ops_(graph_components("network", ops)) {
  models_.seed = seed;
  models_.device = device;
  models_.kernels = kernels;
  for (const auto& [name, options] : models) models_.add(std::make_unique<Model>(name, options));
  add_own_models(ops_, models_);
  if (sharding.zero > 0)
    for (const auto& model : models_.all()) model->optimizers().share_among(sharer_of(sharding));
  if (sharding.shards > 1) replicas_ = std::make_unique<Replicas>(models, ops, models_, sharding);
}

std::vector<GraphNode> Network::nodes(const Moment& moment, Mode mode) {
  std::vector<GraphNode> nodes;
  for (size_t i = 0; i < ops_.size(); ++i) {
    GraphComponent<NetworkOp>& component = ops_[i];
    const std::shared_ptr<NetworkOp> op = component.at(moment);
    component.placed([&] {
      op->bind(models_);
      check_modes(component, *op);
    });
    const Replicas::Ops twins = replicas_ ? replicas_->twins(*op, i, moment) : Replicas::Ops();
    nodes.push_back(component.node(moment, mode,
                                   {.place = Place::kNetwork,
                                    .reads = op->reads(),
                                    .writes = op->writes(),
                                    .modes = op->modes(),
                                    .has_effect = op->has_effect(),
                                    .takes_gradients = op->takes_gradients(),
                                    .infer =
                                        [op, twins](const std::vector<Spec>& inputs) {
                                          std::vector<Spec> outputs = op->infer(inputs);
                                          for (const auto& twin : twins) (void)twin->infer(inputs);
                                          return outputs;
                                        },
                                    .component = op}));
  }
  return nodes;
}

std::vector<BoundOp> Network::bind(const Plan& plan, const std::vector<GraphNode>& nodes) const {
  std::vector<BoundOp> ops;
  for (const PlanStep& step : plan.steps) {
    const GraphNode& node = nodes[step.node];
    if (node.place == Place::kNetwork)
      ops.push_back({std::any_cast<std::shared_ptr<NetworkOp>>(node.component), node.name,
                     step.inputs, step.outputs, true, node.mark, specs_of(plan, step.inputs),
                     makes_one_value(plan, step)});
  }
  // Every op that finds gradients but the last leaves the autograd graph for those after it.
  bool is_later_update = false;
  for (size_t i = ops.size(); i-- > 0;) {
    find_losses(ops[i]);
    ops[i].is_last_update = !is_later_update;
    is_later_update = is_later_update || !ops[i].losses.empty();
  }
  find_sources(ops);
  if (replicas_) replicas_->complete(ops, plan);
  return ops;
}

void Network::run(const std::vector<BoundOp>& ops, StepContext& context,
                  std::vector<at::Tensor>& values) {
  const bool learns = context.mode == Mode::kTrain && has_update(ops);
  use_specs(ops);
  if (learns)
    for (const auto& model : models_.all()) model->optimizers().follow_groups(context.moment);
  std::optional<PackedStep> packed;
  if (learns && replicas_) replicas_->find_pairs();
  if (learns) packed.emplace(models_, looking_op(ops) == nullptr);
  if (learns)
    for (const BoundOp& bound : ops) bound.op->begin_step();
  std::optional<CountedLosses> counted;
  if (learns && (replicas_ || accumulates(ops))) counted.emplace(context, values.size());
  if (learns && replicas_) {
    replicas_->run(ops, context, values, profile_);
    packed.reset();
    RankExchange* ranks = replicas_->ranks();
    if (ranks != nullptr && context.has_updated && ranks->count_step()) bring_together();
    return;
  }
  const at::AutoGradMode gradients(context.mode == Mode::kTrain);
  std::optional<AveragedWeights> averaged;
  if (context.mode != Mode::kTrain) averaged.emplace(models_);
  StepRun(ops, context, values, models_, profile_).run();
}

void Network::infer(const std::vector<BoundOp>& ops, StepContext& context,
                    std::vector<at::Tensor>& values) const {
  const at::AutoGradMode no_gradients(false);
  for (const BoundOp& bound : ops) run_bound_op(bound, *bound.op, context, values, profile_);
}

Tensors Network::run(const Tensors& feeds, const std::vector<std::string>& fetches, Mode mode) {
  Moment moment;
  moment.length = {1, 1, 1};
  const std::vector<GraphNode> all = nodes(moment, mode);
  CompileRequest request{.mode = mode, .fetches = fetches};
  for (const auto& [key, tensor] : feeds) request.feeds.push_back({key, spec_of(tensor)});
  const Plan plan = compile(all, request);
  std::vector<at::Tensor> values(plan.values.size());
  for (const auto& [key, tensor] : feeds)
    for (size_t index = 0; index < plan.values.size(); ++index)
      if (plan.values[index].key == key) values[index] = tensor.to(models_.device);
  StepContext context;
  context.mode = mode;
  context.moment = moment;
  run(bind(plan, all), context, values);
  Tensors results;
  for (size_t k = 0; k < fetches.size(); ++k)
    results[fetches[k]] = values[static_cast<size_t>(plan.fetches[k])];
  return results;
}

std::vector<std::string> Network::packing_obstacles(const std::vector<BoundOp>& ops) const {
  std::vector<std::string> obstacles;
  const BoundOp* looking = looking_op(ops);
  for (const auto& model : models_.all()) {
    if (!packs(*model)) continue;
    const std::string weights = "weights of '" + model->name() + "' are not kept packed: ";
    if (looking != nullptr && wants_packing(model->layer()))
      obstacles.push_back(weights + looking->label +
                          " may look at parameters. If it does not, let its "
                          "looks_at_parameters() say so.");
    else if (const std::string found = packing_obstacle(model->layer()); !found.empty())
      obstacles.push_back(weights + found + ".");
  }
  return obstacles;
}

void Network::set_profile(TimeProfile* profile) {
  profile_ = profile;
  for (const auto& model : models_.all()) model->layer().set_profile(profile);
}

int64_t Network::batches_per_step(const Moment& moment) {
  int64_t smallest = 0;
  for (GraphComponent<NetworkOp>& component : ops_) {
    const int64_t batches = component.at(moment)->batches_per_step();
    if (batches > 0) smallest = smallest == 0 ? batches : std::min(smallest, batches);
  }
  return std::max<int64_t>(smallest, 1);
}

bool Network::has_constant_steps() {
  return std::none_of(ops_.begin(), ops_.end(), [](GraphComponent<NetworkOp>& component) {
    return component.changes_with_epochs() &&
           component.at({0, 0, {1, 1, 1}})->batches_per_step() > 0;
  });
}

std::vector<BoundOp> Network::every_op(const Moment& moment) {
  std::vector<BoundOp> ops;
  for (size_t i = 0; i < ops_.size(); ++i) {
    const std::shared_ptr<NetworkOp> op = ops_[i].at(moment);
    ops_[i].placed([&] { op->bind(models_); });
    BoundOp bound{op, ops_[i].label(), {}, {}};
    if (replicas_) bound.twins = replicas_->twins(*op, i, moment);
    ops.push_back(std::move(bound));
  }
  return ops;
}

void Network::carry_over(const std::vector<BoundOp>& from, const std::vector<BoundOp>& to) {
  for (const BoundOp& next : to)
    for (const BoundOp& before : from) {
      if (before.label != next.label || before.op == next.op) continue;
      next.op->restore(before.op->state());
      for (size_t r = 0; r < next.twins.size() && has_shards(next); ++r)
        next.twins[r]->restore_shard(before.twins[r]->shard_state());
    }
}

// Of the shards that this process computes, but for the first of all.
State Network::shard_states(const std::vector<BoundOp>& ops) const {
  State states;
  const auto add = [&](const BoundOp& bound, int64_t shard, const NetworkOp& op) {
    if (const State own = op.shard_state(); !is_empty(own))
      states.add(shard_place(bound, shard), own);
  };
  const int64_t first = replicas_ ? replicas_->own_shards().begin : 0;
  const int64_t end = replicas_ ? replicas_->own_shards().end : 1;
  for (int64_t shard = std::max<int64_t>(first, 1); shard < end; ++shard)
    for (const BoundOp& bound : ops) {
      const auto twin = static_cast<size_t>(shard - first - 1);  // other modes' ops have none
      if (shard == first && has_shards(bound)) add(bound, shard, *bound.op);
      if (shard > first && twin < bound.twins.size() && has_shards(bound))
        add(bound, shard, *bound.twins[twin]);
    }
  return states;
}

std::vector<const ModelSet*> Network::shard_models() const {
  std::vector<const ModelSet*> all = {&models_};
  if (replicas_)
    for (const auto& other : replicas_->others()) all.push_back(&other->models());
  return all;
}

bool Network::are_apart() const { return ranks() != nullptr && ranks()->are_apart(); }

// All of a model, or the mean of all ranks', which stays as they are.
State Network::joined_state(const Model& model) const {
  if (!are_apart() || !model.is_built()) return model_state(model);
  const at::AutoGradMode no_gradients(false);
  return ranks()->mean("averaging " + model.name(), model.state());
}

// What is not as the others have it.
State Network::apart_state(const std::vector<BoundOp>& ops) const {
  State own;
  if (are_apart())
    for (const auto& model : models_.all()) own.add("models/" + model->name(), model->state());
  if (!ranks()->is_first())
    for (const BoundOp& bound : ops) own.add("ops/" + bound.label, bound.op->state());
  return own;
}

State Network::state(const std::vector<BoundOp>& ops) const {
  State state;
  for (const auto& model : models_.all())
    state.add("models/" + model->name(), joined_state(*model));
  add_all(state_of_ops(ops), state);
  return state;
}

State Network::own_state(const std::vector<BoundOp>& ops) const {
  State state;
  for (const auto& model : models_.all()) state.add("models/" + model->name(), model->state());
  add_all(state_of_ops(ops), state);
  return state;
}

State Network::common_state() const {
  State state;
  for (const auto& model : models_.all())
    state.add(model->name(), are_apart() ? joined_state(*model) : model->common_state());
  return state;
}

State Network::model_state(const Model& model) const {
  if (ranks() == nullptr || ranks()->zero() == 0 || !model.is_built()) return model.state();
  std::vector<State> all =
      ranks()->gather_to_first("the optimizers of " + model.name(), model.optimizers().state());
  return ranks()->is_first() ? model.whole_state(all) : model.state();
}

std::vector<int64_t> Network::optimizer_bytes() const {
  int64_t own = 0;
  for (const auto& model : models_.all()) own += model->optimizers().shared_bytes();
  if (ranks() == nullptr) return {own};
  std::vector<int64_t> all;
  for (const TensorPacket& packet : ranks()->gather("bytes of optimizers", {{}, own}))
    all.push_back(packet.values.get<int64_t>());
  return all;
}

State Network::state_of_ops(const std::vector<BoundOp>& ops) const {
  State state;
  RankExchange* ranks = this->ranks();
  for (const BoundOp& bound : ops) state.add("ops/" + bound.label, bound.op->state());
  State own = shard_states(ops);
  if (ranks != nullptr) add_all(ranks->state(), own);
  if (lets_ranks_apart()) own.add(ranks->own_place(), apart_state(ops));
  std::vector<TensorPacket> shards = {packet_of(own)};
  if (ranks != nullptr) shards = ranks->gather("what shards have in progress", shards[0]);
  for (const TensorPacket& packet : shards) add_all(state_of(packet), state);
  return state;
}

bool Network::lets_ranks_apart() const {
  return replicas_ && replicas_->ranks() != nullptr && replicas_->ranks()->lets_apart();
}

void Network::bring_together() const {
  if (replicas_) replicas_->bring_together();
}

bool Network::is_replayed() const { return gathering() != nullptr && gathering()->is_replayed(); }

State Network::exchange_state() const {
  return replicas_ && replicas_->ranks() != nullptr ? replicas_->ranks()->state() : State();
}

void Network::restore_exchange(const State& state) {
  if (replicas_ && replicas_->ranks() != nullptr) replicas_->ranks()->restore(state);
}

void Network::restore(const State& state, const std::vector<BoundOp>& ops) {
  State apart;
  if (RankExchange* ranks = replicas_ ? replicas_->ranks() : nullptr) {
    ranks->restore(state);
    if (ranks->lets_apart()) apart = ranks->own_part(state);
  } else {
    check_exchange_state(state, 1);
  }
  const auto part = [&](const std::string& place) {
    const State own = apart.part(place);
    return is_empty(own) ? state.part(place) : own;
  };
  for (const auto& model : models_.all()) model->restore(part("models/" + model->name()));
  const int64_t first_shard = replicas_ ? replicas_->own_shards().begin : 0;
  for (const BoundOp& bound : ops) {
    const State first = part("ops/" + bound.label);
    bound.op->restore(first);
    const auto restore_shard = [&](int64_t shard, NetworkOp& op) {
      const State own = state.part(shard_place(bound, shard));
      op.restore_shard(is_empty(own) && !bound.is_update() ? first : own);
    };
    if (!has_shards(bound)) continue;
    if (first_shard > 0) restore_shard(first_shard, *bound.op);
    for (size_t r = 0; r < bound.twins.size(); ++r)
      restore_shard(first_shard + 1 + static_cast<int64_t>(r), *bound.twins[r]);
  }
}

}  // namespace hearth
