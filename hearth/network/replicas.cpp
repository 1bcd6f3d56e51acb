// Every training batch in shards, which replicas and ranks share.
#include "hearth/network/replicas.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/core/random.h"
#include "hearth/kernels/random_stream.h"
#include "hearth/kernels/threads/one_compute_thread.h"
#include "hearth/network/gathered_ops.h"
#include "hearth/network/rank_exchange.h"
#include "hearth/network/shard_meeting.h"
#include "hearth/network/shared_draws.h"
#include "hearth/network/step_gathering.h"
#include "hearth/network/step_watch.h"
#include "hearth/nn/batch_norm_layer.h"
#include "hearth/nn/time_profile.h"

namespace hearth {
namespace {

int64_t rows_of(const std::vector<at::Tensor>& values) {
  int64_t rows = -1;
  for (const at::Tensor& value : values) {
    if (!value.defined() || value.dim() == 0) continue;
    if (rows < 0) rows = value.size(0);
    if (value.size(0) == rows) continue;
    throw GraphError("replicas: the batch's keys have " + std::to_string(rows) + " and " +
                     std::to_string(value.size(0)) +
                     " rows, so that it cannot be split. Use replicas: 1.");
  }
  return std::max<int64_t>(rows, 1);
}

at::Tensor rows_of_part(const at::Tensor& value, int64_t begin, int64_t end) {
  if (!value.defined() || value.dim() == 0) return value;
  return value.narrow(0, begin, end - begin);
}

std::unique_ptr<Exchange> made_exchange(const std::optional<Choice<Exchange>>& choice) {
  return choice ? registry<Exchange>().make(*choice) : nullptr;
}

std::unique_ptr<StepGathering> made_gathering(const Sharding& sharding) {
  if (!sharding.sync) return nullptr;
  return std::make_unique<StepGathering>(
      sharding.group, StepGathering::Options{sharding.sync->slots(), sharding.sync->aggregate,
                                             sharding.sync->backlog.bytes});
}

// Whoever trains looks at losses.
std::vector<bool> loss_values(const std::vector<BoundOp>& ops, size_t values) {
  std::vector<bool> are_losses(values);
  for (const BoundOp& bound : ops)
    for (const int index : bound.losses) are_losses[static_cast<size_t>(index)] = true;
  return are_losses;
}

// Of each value: whether it has a row for each sample and an op reads it that makes one value of
// all of them.
std::vector<bool> loss_inputs(const std::vector<BoundOp>& ops, const Plan& plan) {
  std::vector<bool> are_read(plan.values.size());
  for (const BoundOp& bound : ops)
    for (const int index : bound.inputs)
      if (index >= 0 && bound.makes_one_value && !bound.is_update())
        are_read[static_cast<size_t>(index)] =
            !plan.values[static_cast<size_t>(index)].spec.is_per_batch;
  return are_read;
}

void join_rows_of(const std::vector<bool>& values, std::vector<BoundOp>& ops) {
  for (BoundOp& bound : ops)
    for (size_t k = 0; k < bound.outputs.size(); ++k)
      if (bound.outputs[k] >= 0 && values[static_cast<size_t>(bound.outputs[k])] &&
          bound.joinings[k] == Joining::kNone && bound.op->sharing() != Sharing::kOnce)
        bound.joinings[k] = Joining::kRows;
}

}  // namespace

Replicas::Replicas(const std::map<std::string, ModelOptions>& models,
                   const std::vector<Choice<NetworkOp>>& ops, const ModelSet& first,
                   const Sharding& sharding)
    : first_(first),
      ranks_(sharding.group && sharding.group->size() > 1
                 ? std::make_unique<RankExchange>(*sharding.group, sharding.shards,
                                                  made_exchange(sharding.exchange), sharding.zero)
                 : nullptr),
      gathering_(made_gathering(sharding)),
      shards_(sharding.shards),
      own_(ranks_ ? ranks_->own_shards() : ShardTree::Range{0, sharding.shards}),
      group_(sharding.group) {
  if (sharding.sync) {
    slots_.emplace(shards_, sharding.sync->slots());
    own_ = slots_->of_rank(group_ ? group_->rank() : 0);
  }
  if (!first.device.is_cpu()) {
    throw ConfigError("training batches are cut into " + std::to_string(shards_) +
                      " parts, for replicas, shards or processes that train together, which needs "
                      "device: cpu, but it is " +
                      first.device.str() +
                      ". Use device: cpu, or train in one process with replicas: 1.");
  }
  threads_ = std::clamp<int64_t>(sharding.threads, 1, own_.size());
  for (int64_t i = 0; i < own_.size(); ++i)
    streams_.push_back(at::make_generator<at::CPUGeneratorImpl>());
  for (int64_t i = 1; i < own_.size(); ++i)
    others_.push_back(std::make_unique<Replica>(models, ops, first));
}

Replicas::~Replicas() = default;

void check_zero(int zero, const Exchange& exchange, const std::string& name) {
  if (zero == 0) return;
  if (exchange.steps_apart() > 0)
    throw ConfigError("with the exchange " + quote(name) +
                      " every process makes steps of its own, for which it needs all that "
                      "optimizers remember. Use zero: 0, or exchange: exact.");
  if (zero > 1 && !exchange.sums_plainly())
    throw ConfigError("with the exchange " + quote(name) +
                      " gradients do not travel as plain sums, so that each process needs all of "
                      "them. Use zero: 1, or exchange: exact.");
}

void Replicas::bring_together() const {
  if (!ranks_ || !ranks_->are_apart()) return;
  const at::AutoGradMode no_gradients(false);
  for (const auto& model : first_.all())
    if (model->is_built())
      model->restore(ranks_->mean("averaging " + model->name(), model->state()));
  ranks_->end_apart();
}

void Replicas::find_pairs() {
  for (const auto& other : others_) other->find_pairs();
}

const Replicas::Ops& Replicas::twins(const NetworkOp& op, size_t index, const Moment& moment) {
  Ops& known = twins_[&op];
  known.clear();
  for (const auto& other : others_) known.push_back(other->op(index, moment));
  return known;
}

void Replicas::complete(std::vector<BoundOp>& ops, const Plan& plan) {
  if (plan.mode != Mode::kTrain) return;
  const std::vector<bool> are_losses = loss_values(ops, plan.values.size());
  for (BoundOp& bound : ops) {
    if (bound.op->sharing() == Sharing::kNever) {
      throw ConfigError(
          bound.label + " makes steps by itself, which replicas cannot share. Use replicas: 1.",
          bound.mark.place());
    }
    bound.twins = twins_.at(bound.op.get());
    bound.joinings = joinings_of(bound, plan, are_losses);
  }
  if (shows_loss_inputs_) join_rows_of(loss_inputs(ops, plan), ops);
  if (gathering_) check_gathered(ops);
  prepare_meeting();
}

// Shards of batch norms that are synced cannot come one after the other.
void Replicas::prepare_meeting() {
  if (meeting_) return;
  const Layer* synced = nullptr;
  for (const auto& model : first_.all())
    if (model->is_built() && synced == nullptr) synced = synced_norm(model->layer());
  if (synced == nullptr) return;
  if (gathering_)
    throw ConfigError("sync_replicas: " + quote(synced->path()) +
                      " has sync: true, for which all parts of a batch wait for each other, but "
                      "steps are made of the parts that come first. Leave one of them out.");
  meeting_ = std::make_unique<ShardMeeting>(own_, threads_, ranks_.get());
}

void Replicas::run(const std::vector<BoundOp>& ops, StepContext& context,
                   std::vector<at::Tensor>& values, TimeProfile* profile) {
  check_hooks();
  if (!crew_) crew_ = std::make_unique<Crew>(static_cast<int>(threads_), compute_with_one_thread);
  for (const auto& other : others_) other->follow();
  buffers_.remember(first_);
  if (gathering_) return run_gathered(ops, context, values, profile);
  seed_streams(drawn_seed());
  context.ranks = ranks_.get();
  Parts parts = split(context, values);
  run_all(ops, context, parts, values, profile);
  const at::AutoGradMode no_gradients(false);
  finish(ops, parts, values);
}

// A hook on the first network's layers alone would see, or change, one part of the batch only.
void Replicas::check_hooks() const {
  for (size_t i = 0; i < first_.all().size(); ++i) {
    const auto& model = first_.all()[i];
    if (!model->is_built() || !model->layer().is_hooked()) continue;
    const auto is_hooked = [&](const std::unique_ptr<Replica>& other) {
      return other->models().all()[i]->layer().is_hooked();
    };
    if (!ranks_ && std::all_of(others_.begin(), others_.end(), is_hooked)) continue;
    throw GraphError("replicas: the model '" + model->name() +
                     "' has hooks, which would be called for one replica's samples only. Use "
                     "replicas: 1.");
  }
}

Replicas::Parts Replicas::split(const StepContext& context,
                                const std::vector<at::Tensor>& values) const {
  // Rows that fill up would leave some shard without a single sample.
  const int64_t rows = context.real_rows < 0 ? rows_of(values) : context.real_rows;
  const int64_t count = std::min(rows, shards_);
  Parts parts(static_cast<size_t>(count));
  for (int64_t shard = 0; shard < count; ++shard) {
    const int64_t begin = rows * shard / count;
    const int64_t end = rows * (shard + 1) / count;
    ShardPart& part = parts[static_cast<size_t>(shard)];
    part.context = context;
    part.context.crew = crew_.get();
    part.context.real_rows = -1;
    part.context.share = static_cast<double>(end - begin) / static_cast<double>(rows);
    part.values.resize(values.size());
    part.counts.resize(values.size());
    part.context.loss_counts = &part.counts;
    if (shard < own_.begin || shard >= own_.end) continue;
    for (size_t index = 0; index < values.size(); ++index)
      part.values[index] = rows_of_part(values[index], begin, end);
  }
  return parts;
}

std::span<ShardPart> Replicas::parts_of(const ShardTree::Range& shards, Parts& parts) const {
  const auto count = static_cast<int64_t>(parts.size());
  const int64_t begin = std::min(shards.begin, count);
  const int64_t end = std::min(shards.end, count);
  return std::span(parts).subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
}

// Streams follow from the shared generator, which the trainer seeds anew for every batch.
uint64_t Replicas::drawn_seed() {
  at::CPUGeneratorImpl& shared = shared_generator();
  const std::scoped_lock lock(shared.mutex_);
  return shared.random64();
}

void Replicas::seed_streams(uint64_t seed) {
  static const uint16_t kReplicaStream = op_number("replica");
  for (size_t k = 0; k < streams_.size(); ++k) {
    Random random({seed, 0, static_cast<uint64_t>(own_.begin) + k, kReplicaStream});
    const uint64_t high = random.bits();
    streams_[k].set_current_seed((high << 32U) | random.bits());
  }
}

// All that comes before the first gradients, so that somebody can be told of it; returns how far.
size_t Replicas::run_to_loss(std::span<const BoundOp> ops, const StepContext& context, Parts& parts,
                             std::vector<at::Tensor>& values, TimeProfile* profile) {
  size_t end = 0;
  while (end < ops.size() && ops[end].losses.empty() && ops[end].op->sharing() == Sharing::kParts)
    ++end;
  const SharedDraws draws;
  run_stretch(ops.first(end), parts, profile);
  draws.refuse();
  const at::AutoGradMode no_gradients(false);
  share_values(ops.first(end), parts);
  join_values(ops.first(end), parts, values);
  context.watch->on_loss(values);
  return end;
}

void Replicas::run_all(const std::vector<BoundOp>& ops, StepContext& context, Parts& parts,
                       std::vector<at::Tensor>& values, TimeProfile* profile) {
  const std::span<const BoundOp> all(ops);
  context.crew = crew_.get();
  size_t begin = 0;
  if (context.watch != nullptr) begin = run_to_loss(all, context, parts, values, profile);
  try {
    run_to_end(all.subspan(begin), context, parts, profile);
  } catch (...) {
    for (const auto& other : others_) other->drop_gradients();
    throw;
  }
  context.crew = nullptr;
  for_own(parts, [&](size_t, ShardPart& part) { keep_joined(all, part.values); });
}

// All replicas run a stretch of ops; one step, or one set of gradients, is made of what they found;
// what runs once runs between.
void Replicas::run_to_end(std::span<const BoundOp> ops, StepContext& context, Parts& parts,
                          TimeProfile* profile) {
  const auto has = [&](size_t index, Sharing sharing) {
    return index < ops.size() && ops[index].op->sharing() == sharing;
  };
  size_t begin = 0;
  while (begin < ops.size()) {
    size_t end = begin;
    while (has(end, Sharing::kParts)) ++end;
    const bool joins = has(end, Sharing::kJoined);
    if (joins) ++end;
    if (joins) ops[end - 1].op->begin_join(context, ops[end - 1].twins, own_parts(parts).size());
    if (end > begin) {
      const SharedDraws draws;
      run_stretch(ops.subspan(begin, end - begin), parts, profile);
      draws.refuse();
    }
    if (joins) join(ops[end - 1], context, parts, profile);
    for (; has(end, Sharing::kOnce); ++end) run_once(ops[end], context, parts, profile);
    begin = end;
  }
}

void Replicas::join(const BoundOp& bound, StepContext& context, Parts& parts,
                    TimeProfile* profile) {
  const ProfiledScope profiled(profile, [&](TimeProfile& entered) { entered.enter(bound.label); });
  bound.op->join(context, bound.twins);
  if (ranks_ && !bound.outputs.empty()) {
    TensorPacket packet;
    add_counts(bound, own_parts(parts), packet);
    const std::vector<TensorPacket> packets = ranks_->gather("what a loss counts", packet);
    for (size_t rank = 0; rank < packets.size(); ++rank)
      take_counts(bound, packets[rank],
                  parts_of(ranks_->tree().of_rank(static_cast<int64_t>(rank)), parts));
  }
  for (const int output : bound.outputs)
    if (output >= 0)
      (*context.loss_counts)[static_cast<size_t>(output)] =
          joined_count(static_cast<size_t>(output), parts);
}

void Replicas::run_once(const BoundOp& bound, StepContext& context, Parts& parts,
                        TimeProfile* profile) {
  const std::span<ShardPart> own = own_parts(parts);
  std::vector<at::Tensor>& values = own.empty() ? parts[0].values : own[0].values;
  run_bound_op(bound, *bound.op, context, values, profile);
  for (const int output : bound.outputs)
    for (ShardPart& part : parts)
      if (output >= 0)
        part.values[static_cast<size_t>(output)] = values[static_cast<size_t>(output)];
}

template <class Work>
void Replicas::for_own(Parts& parts, const Work& work) {
  const std::span<ShardPart> own = own_parts(parts);
  const size_t members = std::min(own.size(), static_cast<size_t>(threads_));
  if (members == 0) return;
  crew_->run(static_cast<int>(members), [&](int member) {
    for (auto k = static_cast<size_t>(member); k < own.size(); k += members) work(k, own[k]);
  });
}

void Replicas::run_stretch(std::span<const BoundOp> ops, Parts& parts, TimeProfile* profile) {
  const auto run_part = [&](size_t k, ShardPart& part) {
    const OneComputeThread one;
    const at::AutoGradMode gradients(true);
    const RandomStream stream(streams_[k]);
    for (const BoundOp& bound : ops) {
      NetworkOp& op = k == 0 ? *bound.op : *bound.twins[k - 1];
      run_bound_op(bound, op, part.context, part.values, k == 0 ? profile : nullptr);
    }
  };
  if (!meeting_) return for_own(parts, run_part);
  const std::span<ShardPart> own = own_parts(parts);
  meeting_->run(own.size(), [&](size_t k) { run_part(k, own[k]); });
}

void Replicas::share_values(std::span<const BoundOp> ops, Parts& parts) {
  if (!ranks_) return;
  TensorPacket packet;
  add_joined(ops, own_parts(parts), packet);
  const std::vector<TensorPacket> packets = ranks_->gather("what was recorded", packet);
  for (size_t rank = 0; rank < packets.size(); ++rank)
    if (const auto& shards = ranks_->tree().of_rank(static_cast<int64_t>(rank)); shards != own_)
      (void)take_joined(ops, packets[rank], parts_of(shards, parts));
}

void Replicas::finish(std::span<const BoundOp> ops, Parts& parts, std::vector<at::Tensor>& values) {
  const std::span<ShardPart> own = own_parts(parts);
  std::vector<double> shares;
  for (const ShardPart& part : own) shares.push_back(part.context.share);
  TensorPacket packet;
  if (ranks_) add_joined(ops, own, packet);
  buffers_.add_changes(shares, others_, packet);
  ShardBuffers::Changes changes;
  if (ranks_) {
    changes.packets = ranks_->gather("what was recorded", packet);
    for (size_t rank = 0; rank < changes.packets.size(); ++rank)
      changes.begins.push_back(
          take_joined(ops, changes.packets[rank],
                      parts_of(ranks_->tree().of_rank(static_cast<int64_t>(rank)), parts)));
  } else {
    changes = {{std::move(packet)}, {0}};
  }
  buffers_.apply(changes);
  join_values(ops, parts, values);
}

}  // namespace hearth
