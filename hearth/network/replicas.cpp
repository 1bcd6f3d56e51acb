// Several copies of a network in one process, which share every training batch.
#include "hearth/network/replicas.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/zeros_like.h>
#include <omp.h>

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/core/random.h"
#include "hearth/kernels/random_stream.h"
#include "hearth/kernels/threads/one_compute_thread.h"
#include "hearth/network/step_watch.h"
#include "hearth/nn/time_profile.h"

namespace hearth {
namespace {

at::CPUGeneratorImpl& shared_generator() {
  return *at::check_generator<at::CPUGeneratorImpl>(at::globalContext().defaultGenerator(at::kCPU));
}

// Whether random numbers were drawn from LibTorch's generator while it lived.
class SharedDraws {
 public:
  SharedDraws() : before_(shared_generator().engine().data()) {}
  [[nodiscard]] bool happened() const {
    const at::mt19937_data_pod now = shared_generator().engine().data();
    return now.next_ != before_.next_ || now.left_ != before_.left_ || now.state_ != before_.state_;
  }

 private:
  at::mt19937_data_pod before_;
};

void refuse_shared_draws(const SharedDraws& draws) {
  if (!draws.happened()) return;
  throw GraphError(
      "replicas: a layer or an op drew from LibTorch's generator, which all replicas share, so "
      "that "
      "results would differ from run to run. Let it draw from random_generator() of "
      "hearth/kernels/random_stream.h, or use replicas: 1.");
}

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

// Whoever trains looks at losses.
std::vector<bool> loss_values(const std::vector<BoundOp>& ops, size_t values) {
  std::vector<bool> are_losses(values);
  for (const BoundOp& bound : ops)
    for (const int index : bound.losses) are_losses[static_cast<size_t>(index)] = true;
  return are_losses;
}

Joining joining_of(const BoundOp& bound, const PlanValue& value, bool is_loss) {
  if (!value.is_recorded && !is_loss) return Joining::kNone;
  if (bound.op->sharing() == Sharing::kOnce) return Joining::kFirst;
  if (!value.spec.is_per_batch) return Joining::kRows;
  if (is_floating(value.spec.dtype)) return Joining::kMean;
  throw ConfigError(bound.label + " writes '" + value.key + "', " + value.spec.text() +
                        " for the whole batch, and replicas would have to take the mean of it. "
                        "Use replicas: 1, or leave '" +
                        value.key + "' unmeasured.",
                    bound.mark.place());
}

// All else that the autograd graph holds on to goes here, in the replica's own thread.
void keep_joined(std::span<const BoundOp> ops, std::vector<at::Tensor>& values) {
  std::vector<at::Tensor> kept(values.size());
  for (const BoundOp& bound : ops)
    for (size_t k = 0; k < bound.outputs.size(); ++k)
      if (bound.outputs[k] >= 0 && bound.joinings[k] != Joining::kNone) {
        const auto index = static_cast<size_t>(bound.outputs[k]);
        kept[index] = values[index].detach();
      }
  values = std::move(kept);
}

template <class Parts>
at::Tensor joined(Joining joining, size_t index, const Parts& parts) {
  if (parts.size() == 1 || joining == Joining::kFirst) return parts[0].values[index];
  std::vector<at::Tensor> pieces;
  for (const auto& part : parts) pieces.push_back(part.values[index]);
  if (joining == Joining::kRows) return at::cat(pieces, 0);
  at::Tensor sum = pieces[0].mul(parts[0].context.share);
  for (size_t r = 1; r < pieces.size(); ++r) sum.add_(pieces[r], parts[r].context.share);
  return sum;
}

// What is wanted of the ops' outputs, for the whole batch.
template <class Parts>
void join_values(std::span<const BoundOp> ops, const Parts& parts,
                 std::vector<at::Tensor>& values) {
  for (const BoundOp& bound : ops)
    for (size_t k = 0; k < bound.outputs.size(); ++k)
      if (bound.joinings[k] != Joining::kNone) {
        const auto index = static_cast<size_t>(bound.outputs[k]);
        values[index] = joined(bound.joinings[k], index, parts);
      }
}

}  // namespace

Replicas::Replicas(const std::map<std::string, ModelOptions>& models,
                   const std::vector<Choice<NetworkOp>>& ops, const ModelSet& first, int64_t count)
    : first_(first) {
  if (!first.device.is_cpu()) {
    throw ConfigError(std::to_string(count) + " replicas need device: cpu, but it is " +
                      first.device.str() + ". Use replicas: 1.");
  }
  for (int64_t i = 0; i < count; ++i)
    streams_.push_back(at::make_generator<at::CPUGeneratorImpl>());
  for (int64_t i = 1; i < count; ++i)
    others_.push_back(std::make_unique<Replica>(models, ops, first));
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

void Replicas::complete(std::vector<BoundOp>& ops, const Plan& plan) const {
  if (plan.mode != Mode::kTrain) return;
  const std::vector<bool> are_losses = loss_values(ops, plan.values.size());
  for (BoundOp& bound : ops) {
    if (bound.op->sharing() == Sharing::kNever) {
      throw ConfigError(
          bound.label + " makes steps by itself, which replicas cannot share. Use replicas: 1.",
          bound.mark.place());
    }
    bound.twins = twins_.at(bound.op.get());
    for (int index : bound.outputs) {
      const auto at = static_cast<size_t>(index);
      bound.joinings.push_back(index < 0 ? Joining::kNone
                                         : joining_of(bound, plan.values[at], are_losses[at]));
    }
  }
}

void Replicas::run(const std::vector<BoundOp>& ops, StepContext& context,
                   std::vector<at::Tensor>& values, TimeProfile* profile) {
  check_hooks();
  if (!crew_) {
    // Threads ask LibTorch for its number of threads first, as that sets it.
    crew_ = std::make_unique<Crew>(static_cast<int>(streams_.size()), [] {
      (void)at::get_num_threads();
      omp_set_num_threads(1);
    });
  }
  for (const auto& other : others_) other->follow();
  seed_streams();
  std::vector<Part> parts = split(context, values);
  try {
    run_all(ops, context, parts, values, profile);
  } catch (...) {
    for (const auto& other : others_) other->drop_gradients();
    throw;
  }
  const at::AutoGradMode no_gradients(false);
  average_buffers(parts);
  join_values(ops, parts, values);
}

// A hook on the first network's layers would see, or change, one part of the batch only.
void Replicas::check_hooks() const {
  for (const auto& model : first_.all()) {
    if (!model->is_built() || !model->layer().is_hooked()) continue;
    throw GraphError("replicas: the model '" + model->name() +
                     "' has hooks, which would be called for one replica's samples only. Use "
                     "replicas: 1.");
  }
}

std::vector<Replicas::Part> Replicas::split(const StepContext& context,
                                            const std::vector<at::Tensor>& values) const {
  // Rows that fill up would leave some replica without a single sample.
  const int64_t rows = context.real_rows < 0 ? rows_of(values) : context.real_rows;
  const int64_t count = std::min<int64_t>(rows, static_cast<int64_t>(streams_.size()));
  std::vector<Part> parts(static_cast<size_t>(count));
  for (int64_t r = 0; r < count; ++r) {
    const int64_t begin = rows * r / count;
    const int64_t end = rows * (r + 1) / count;
    Part& part = parts[static_cast<size_t>(r)];
    part.context = context;
    part.context.crew = crew_.get();
    part.context.real_rows = -1;
    part.context.share = static_cast<double>(end - begin) / static_cast<double>(rows);
    for (const at::Tensor& value : values) part.values.push_back(rows_of_part(value, begin, end));
  }
  return parts;
}

// Streams follow from the shared generator, which the trainer seeds anew for every batch.
void Replicas::seed_streams() {
  static const uint16_t kReplicaStream = op_number("replica");
  at::CPUGeneratorImpl& shared = shared_generator();
  const std::scoped_lock lock(shared.mutex_);
  const uint64_t seed = shared.random64();
  for (size_t r = 0; r < streams_.size(); ++r) {
    Random random({seed, 0, r, kReplicaStream});
    const uint64_t high = random.bits();
    streams_[r].set_current_seed((high << 32U) | random.bits());
  }
}

// All that comes before the first gradients, so that somebody can be told of it; returns how far.
size_t Replicas::run_to_loss(std::span<const BoundOp> ops, const StepContext& context,
                             std::vector<Part>& parts, std::vector<at::Tensor>& values,
                             TimeProfile* profile) {
  size_t end = 0;
  while (end < ops.size() && ops[end].losses.empty() && ops[end].op->sharing() == Sharing::kParts)
    ++end;
  const SharedDraws draws;
  run_stretch(ops.first(end), parts, profile);
  refuse_shared_draws(draws);
  const at::AutoGradMode no_gradients(false);
  join_values(ops.first(end), parts, values);
  context.watch->on_loss(values);
  return end;
}

// All replicas run a stretch of ops; one step, or one set of gradients, is made of what they found;
// what runs once runs between.
void Replicas::run_all(const std::vector<BoundOp>& ops, StepContext& context,
                       std::vector<Part>& parts, std::vector<at::Tensor>& values,
                       TimeProfile* profile) {
  const std::span<const BoundOp> all(ops);
  const auto has = [&](size_t index, Sharing sharing) {
    return index < ops.size() && ops[index].op->sharing() == sharing;
  };
  context.crew = crew_.get();
  size_t begin = 0;
  if (context.watch != nullptr) begin = run_to_loss(all, context, parts, values, profile);
  while (begin < ops.size()) {
    size_t end = begin;
    while (has(end, Sharing::kParts)) ++end;
    const bool joins = has(end, Sharing::kJoined);
    if (joins) ++end;
    if (end > begin) {
      const SharedDraws draws;
      run_stretch(all.subspan(begin, end - begin), parts, profile);
      refuse_shared_draws(draws);
    }
    if (joins) join(ops[end - 1], context, parts, profile);
    for (; has(end, Sharing::kOnce); ++end) run_once(ops[end], context, parts, profile);
    begin = end;
  }
  context.crew = nullptr;
  crew_->run(static_cast<int>(parts.size()),
             [&](int r) { keep_joined(all, parts[static_cast<size_t>(r)].values); });
}

void Replicas::join(const BoundOp& bound, StepContext& context, std::vector<Part>& parts,
                    TimeProfile* profile) {
  const ProfiledScope profiled(profile, [&](TimeProfile& entered) { entered.enter(bound.label); });
  bound.op->join(context, std::span(bound.twins).first(parts.size() - 1));
}

void Replicas::run_once(const BoundOp& bound, StepContext& context, std::vector<Part>& parts,
                        TimeProfile* profile) {
  run_bound_op(bound, *bound.op, context, parts[0].values, profile);
  for (const int output : bound.outputs)
    for (size_t r = 1; r < parts.size() && output >= 0; ++r)
      parts[r].values[static_cast<size_t>(output)] = parts[0].values[static_cast<size_t>(output)];
}

void Replicas::run_stretch(std::span<const BoundOp> ops, std::vector<Part>& parts,
                           TimeProfile* profile) {
  crew_->run(static_cast<int>(parts.size()), [&](int member) {
    const auto r = static_cast<size_t>(member);
    const OneComputeThread one;
    const at::AutoGradMode gradients(true);
    const RandomStream stream(streams_[r]);
    for (const BoundOp& bound : ops) {
      NetworkOp& op = r == 0 ? *bound.op : *bound.twins[r - 1];
      run_bound_op(bound, op, parts[r].context, parts[r].values, r == 0 ? profile : nullptr);
    }
  });
}

// As differences from the first's, so that buffers which are all the same keep their bits.
void Replicas::average_buffers(const std::vector<Part>& parts) const {
  if (parts.size() == 1) return;
  for (size_t i = 0; i < others_[0]->buffers().size(); ++i) {
    const at::Tensor& first = others_[0]->buffers()[i].first;
    if (!first.is_floating_point()) continue;
    at::Tensor change = at::zeros_like(first);
    for (size_t r = 1; r < parts.size(); ++r)
      change.add_(others_[r - 1]->buffers()[i].second.sub(first), parts[r].context.share);
    first.add_(change);
  }
}

}  // namespace hearth
