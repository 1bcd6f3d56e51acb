// Every training batch in shards: several copies of a network in this process, and those of other
// ranks, each take a shard at a time with one compute thread, and one step is made of what all of
// them found.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/Generator.h>

#include "hearth/base/crew.h"
#include "hearth/core/graph.h"
#include "hearth/core/shard_tree.h"
#include "hearth/experiment/sync_replicas.h"
#include "hearth/network/bound_op.h"
#include "hearth/network/replica.h"
#include "hearth/network/shard_buffers.h"
#include "hearth/network/shard_part.h"

namespace hearth {

class StepGathering;
class Group;
class RankExchange;
class ShardMeeting;

// How many shards a batch has, which decides the numbers, and who computes them, which does not.
struct Sharding {
  int64_t shards = 1;
  int64_t threads = 1;                // of this process
  std::shared_ptr<Group> group = {};  // null: this process alone
  // How gradients travel between processes; none: as they are.
  std::optional<Choice<Exchange>> exchange = {};
  std::optional<SyncReplicasOptions> sync = {};  // steps are made of what comes first
  // What processes share out: 1 the optimizers' state, 2 the gradients of updates too; 0 nothing.
  int zero = 0;
};

// ConfigError for an exchange that this degree of sharing cannot go with.
void check_zero(int zero, const Exchange& exchange, const std::string& name);

// Some rows of a batch, from one to before another.
using RowRange = ShardTree::Range;

class Replicas {
 public:
  // `first` are the models of the network itself, which has the first of this process's shards.
  // ConfigError when they are not in this machine's memory, or there are more ranks than shards.
  Replicas(const std::map<std::string, ModelOptions>& models,
           const std::vector<Choice<NetworkOp>>& ops, const ModelSet& first,
           const Sharding& sharding);
  ~Replicas();
  Replicas(const Replicas&) = delete;
  Replicas& operator=(const Replicas&) = delete;

  // Lets the others find their counterparts in the network.
  void find_pairs();

  using Ops = std::vector<std::shared_ptr<NetworkOp>>;
  // The network's op number `index`, which is `op`, in the other replicas.
  [[nodiscard]] const Ops& twins(const NetworkOp& op, size_t index, const Moment& moment);
  // Completes the training plan's ops; ConfigError names an op that replicas cannot share.
  void complete(std::vector<BoundOp>& ops, const Plan& plan);

  // One training batch, with ops that `complete` has seen; `values` as in Network::run.
  void run(const std::vector<BoundOp>& ops, StepContext& context, std::vector<at::Tensor>& values,
           TimeProfile* profile);

  // From the next plan on, what losses read is there for the whole batch after a training batch.
  void show_loss_inputs() { shows_loss_inputs_ = true; }
  [[nodiscard]] const std::vector<std::unique_ptr<Replica>>& others() const { return others_; }

  // What the network and the others compute, in this order.
  [[nodiscard]] const ShardTree::Range& own_shards() const { return own_; }
  [[nodiscard]] RankExchange* ranks() const { return ranks_.get(); }
  // Null where every step waits for all.
  [[nodiscard]] StepGathering* gathering() const { return gathering_.get(); }
  // The rows of the last training batch that its step is made of; empty: all.
  [[nodiscard]] const std::vector<RowRange>& kept_rows() const { return kept_rows_; }
  // Where ranks make steps by themselves: their models become one again, the mean of all. All ranks
  // ask together.
  void bring_together() const;

 private:
  using Parts = std::vector<ShardPart>;
  void prepare_meeting();
  void check_hooks() const;
  // Parts of all shards that the batch has samples for; those of other ranks have no values.
  [[nodiscard]] Parts split(const StepContext& context,
                            const std::vector<at::Tensor>& values) const;
  // Those of a rank's shards that the batch has samples for.
  [[nodiscard]] std::span<ShardPart> parts_of(const ShardTree::Range& shards, Parts& parts) const;
  [[nodiscard]] std::span<ShardPart> own_parts(Parts& parts) const { return parts_of(own_, parts); }
  [[nodiscard]] static uint64_t drawn_seed();
  void seed_streams(uint64_t seed);
  void run_all(const std::vector<BoundOp>& ops, StepContext& context, Parts& parts,
               std::vector<at::Tensor>& values, TimeProfile* profile);
  [[nodiscard]] size_t run_to_loss(std::span<const BoundOp> ops, const StepContext& context,
                                   Parts& parts, std::vector<at::Tensor>& values,
                                   TimeProfile* profile);
  void run_to_end(std::span<const BoundOp> ops, StepContext& context, Parts& parts,
                  TimeProfile* profile);
  void join(const BoundOp& bound, StepContext& context, Parts& parts, TimeProfile* profile);
  void run_once(const BoundOp& bound, StepContext& context, Parts& parts, TimeProfile* profile);
  void run_stretch(std::span<const BoundOp> ops, Parts& parts, TimeProfile* profile);
  // Calls work(k, part) for each of the own parts, the k-th of them, in the crew.
  template <class Work>
  void for_own(Parts& parts, const Work& work);
  // With ranks: everybody's parts get the values that are joined.
  void share_values(std::span<const BoundOp> ops, Parts& parts);
  // Buffers and values become the whole batch's.
  void finish(std::span<const BoundOp> ops, Parts& parts, std::vector<at::Tensor>& values);

  // Steps that are made of what comes first (replicas_gathered.cpp).
  void run_gathered(std::span<const BoundOp> ops, StepContext& context,
                    std::vector<at::Tensor>& values, TimeProfile* profile);
  void compute_slots(std::span<const BoundOp> ops, const StepContext& context,
                     const std::vector<at::Tensor>& values, TimeProfile* profile);
  [[nodiscard]] TensorPacket found_in(int64_t slot, uint64_t seed, std::span<const BoundOp> ops,
                                      const StepContext& context,
                                      const std::vector<at::Tensor>& values, TimeProfile* profile);
  struct Arrived;
  [[nodiscard]] Arrived arrived(std::span<const BoundOp> ops, Parts& parts) const;
  void keep_rows(size_t parts, std::vector<at::Tensor>& values);
  void take_gathered(std::span<const BoundOp> ops, StepContext& context,
                     std::vector<at::Tensor>& values, TimeProfile* profile);

  const ModelSet& first_;
  std::unique_ptr<RankExchange> ranks_;  // null for one process
  std::unique_ptr<StepGathering> gathering_;
  std::optional<ShardTree> slots_;  // with it: the shards of each slot
  bool shows_loss_inputs_ = false;
  std::vector<RowRange> kept_rows_;
  int64_t shards_;
  int64_t threads_;
  ShardTree::Range own_;
  std::shared_ptr<Group> group_;
  std::vector<std::unique_ptr<Replica>> others_;
  std::map<const NetworkOp*, Ops> twins_;
  std::vector<at::Generator> streams_;  // of the own shards
  ShardBuffers buffers_;
  std::unique_ptr<Crew> crew_;             // begins with the first batch
  std::unique_ptr<ShardMeeting> meeting_;  // where shards wait for each other in batch norms
};

}  // namespace hearth
