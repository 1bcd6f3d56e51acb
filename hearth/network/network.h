// The network: models and the ops that run on each batch, as the device side of a plan.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hearth/core/graph.h"
#include "hearth/experiment/graph_component.h"
#include "hearth/experiment/options.h"
#include "hearth/network/bound_op.h"
#include "hearth/network/model.h"
#include "hearth/network/network_op.h"
#include "hearth/network/replicas.h"

namespace hearth {

using Tensors = std::map<std::string, at::Tensor>;

class Network {
 public:
  Network(const std::map<std::string, ModelOptions>& models,
          const std::vector<Choice<NetworkOp>>& ops, uint64_t seed, at::Device device,
          Kernels kernels = Kernels::kFast, int64_t replicas = 1)
      : Network(models, ops, seed, device, kernels, Sharding{replicas, replicas}) {}
  Network(const std::map<std::string, ModelOptions>& models,
          const std::vector<Choice<NetworkOp>>& ops, uint64_t seed, at::Device device,
          Kernels kernels, const Sharding& sharding);

  [[nodiscard]] ModelSet& models() { return models_; }
  [[nodiscard]] const ModelSet& models() const { return models_; }
  // Network ops as graph nodes for a moment of the mode.
  [[nodiscard]] std::vector<GraphNode> nodes(const Moment& moment, Mode mode = Mode::kTrain);
  [[nodiscard]] const std::vector<GraphComponent<NetworkOp>>& components() const { return ops_; }
  // Every op of the moment's epoch, on or off, for what they have in progress.
  [[nodiscard]] std::vector<BoundOp> every_op(const Moment& moment);
  // The plan's steps at Place::kNetwork, of nodes that `nodes` made.
  [[nodiscard]] std::vector<BoundOp> bind(const Plan& plan,
                                          const std::vector<GraphNode>& nodes) const;
  // Runs one batch; `values` are those of the plan and hold the inputs already.
  void run(const std::vector<BoundOp>& ops, StepContext& context, std::vector<at::Tensor>& values);
  // As `run` in mode infer, for several threads at once: models must be set to evaluate already, as
  // SharedInference (hearth/train) does, and nothing may change them meanwhile.
  void infer(const std::vector<BoundOp>& ops, StepContext& context,
             std::vector<at::Tensor>& values) const;
  // Feeds in, fetches out: compiles a plan over the network alone and runs it once. What the
  // fetches do not need does not run.
  [[nodiscard]] Tensors run(const Tensors& feeds, const std::vector<std::string>& fetches,
                            Mode mode = Mode::kInfer);

  // Why a training step with these ops is slower than it could be: a line for each model whose
  // weights are not kept in the order its kernels want.
  [[nodiscard]] std::vector<std::string> packing_obstacles(const std::vector<BoundOp>& ops) const;

  // Who times the network's ops and its models' layers, with replicas those of the first; null for
  // nobody.
  void set_profile(TimeProfile* profile);

  // Batches that make one step: the smallest accumulation of all updates, or 1. It may change with
  // epochs.
  [[nodiscard]] int64_t batches_per_step(const Moment& moment);
  [[nodiscard]] bool has_constant_steps();

  // Gives ops that stand in for others, with other scheduled values, what those have in progress.
  static void carry_over(const std::vector<BoundOp>& from, const std::vector<BoundOp>& to);

  // Whether training batches are cut into shards.
  [[nodiscard]] bool is_sharded() const { return replicas_ != nullptr; }
  // The models that compute this process's shards, the network's own first. Hooks are for all of
  // them; shards run at once, each in one thread.
  [[nodiscard]] std::vector<const ModelSet*> shard_models() const;
  // From the next plan on, what losses read is there after a training batch, also with shards.
  void show_loss_inputs() {
    if (replicas_) replicas_->show_loss_inputs();
  }

  // Models, optimizers and what ops have in progress, which all ranks ask for together.
  // Where ranks share out what optimizers remember, the first has all of it then, the others their
  // share.
  [[nodiscard]] State state(const std::vector<BoundOp>& ops) const;
  // Of one model alone, the same way.
  [[nodiscard]] State model_state(const Model& model) const;
  // What this process can be put back to: of shares its own.
  [[nodiscard]] State own_state(const std::vector<BoundOp>& ops) const;
  // Of all models, what all ranks must have alike.
  [[nodiscard]] State common_state() const;
  // What the optimizers of each rank remember, in bytes, but for averages; all ranks ask together.
  [[nodiscard]] std::vector<int64_t> optimizer_bytes() const;
  void restore(const State& state, const std::vector<BoundOp>& ops);
  // Whether ranks make steps by themselves; their models become one again, the mean of all, when
  // all of them ask together. `state` has that mean, and beside it what each of them has.
  [[nodiscard]] bool lets_ranks_apart() const;
  void bring_together() const;
  // Null where every step waits for all ranks. The rows of the last training batch that its step is
  // made of; empty: all.
  [[nodiscard]] StepGathering* gathering() const {
    return replicas_ ? replicas_->gathering() : nullptr;
  }
  [[nodiscard]] const std::vector<RowRange>* kept_rows() const {
    return replicas_ ? &replicas_->kept_rows() : nullptr;
  }
  // Whether steps are made of what a run's log says.
  [[nodiscard]] bool is_replayed() const;
  // What this rank alone keeps of gradients for later steps, to be taken back after a bad one.
  [[nodiscard]] State exchange_state() const;
  void restore_exchange(const State& state);

 private:
  [[nodiscard]] State shard_states(const std::vector<BoundOp>& ops) const;
  [[nodiscard]] bool are_apart() const;
  [[nodiscard]] State joined_state(const Model& model) const;
  [[nodiscard]] State apart_state(const std::vector<BoundOp>& ops) const;
  [[nodiscard]] State state_of_ops(const std::vector<BoundOp>& ops) const;
  [[nodiscard]] RankExchange* ranks() const { return replicas_ ? replicas_->ranks() : nullptr; }

  ModelSet models_;
  std::vector<GraphComponent<NetworkOp>> ops_;
  std::unique_ptr<Replicas> replicas_;  // null for one
  TimeProfile* profile_ = nullptr;
};

}  // namespace hearth
