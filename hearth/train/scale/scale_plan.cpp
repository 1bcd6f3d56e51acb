// What a training would take on more machines.
#include "hearth/train/scale/scale_plan.h"

#include <algorithm>
#include <cmath>

namespace hearth::scale {
namespace {

// The rank that has most samples decides how long a step takes.
double samples_of_rank(const ScaleQuestion& question, int64_t ranks) {
  if (question.is_weak) return question.batch;
  return std::ceil(question.batch / static_cast<double>(ranks));
}

// Threads that share a core take turns.
ComputedStep crowded(ComputedStep step, double crowding) {
  for (double* seconds : {&step.forward_seconds, &step.backward_seconds, &step.update_seconds})
    *seconds *= crowding;
  for (ReadyGradient& gradient : step.gradients) gradient.seconds *= crowding;
  return step;
}

ScaleRow row_for(const ScaleProfile& profile, const ScaleQuestion& question, int64_t hosts) {
  ClusterShape cluster = question.cluster;
  cluster.hosts = hosts;
  ScaleRow row;
  row.hosts = hosts;
  row.ranks = cluster.ranks();
  row.samples = samples_of_rank(question, row.ranks);
  row.step = schedule_step(crowded(profile.step(row.samples), question.crowding), cluster);
  const double all =
      question.is_weak ? question.batch * static_cast<double>(row.ranks) : question.batch;
  row.samples_per_second = all / row.step.seconds;
  const ComputedStep alone = profile.step(question.batch);
  const double alone_per_second =
      question.batch / (alone.forward_seconds + alone.backward_seconds + alone.update_seconds);
  row.efficiency = row.samples_per_second / (static_cast<double>(row.ranks) * alone_per_second);
  return row;
}

std::vector<RankMemory> memory_for(const ModelMemory& model, double other, int64_t ranks) {
  const double share = model.largest_share(ranks);
  ModelMemory sharded = model;
  sharded.optimizer = model.averages + (model.optimizer - model.averages) * share;
  ModelMemory both = sharded;
  both.gradients *= share;
  return {{"all on every rank", model, other}, {"ZeRO-1", sharded, other}, {"ZeRO-2", both, other}};
}

}  // namespace

ScalePlan plan_scale(const ScaleProfile& profile, const ModelMemory& memory,
                     const ScaleQuestion& question) {
  ScalePlan plan;
  for (int64_t hosts = 1; hosts < question.cluster.hosts; hosts *= 2)
    plan.rows.push_back(row_for(profile, question, hosts));
  plan.rows.push_back(row_for(profile, question, question.cluster.hosts));
  const ScaleRow& last = plan.rows.back();
  plan.memory = memory_for(memory, profile.other_bytes(last.samples), last.ranks);
  if (!question.is_weak && static_cast<double>(last.ranks) > question.batch)
    plan.notes.push_back("a batch of " + std::to_string(static_cast<int64_t>(question.batch)) +
                         " samples leaves " +
                         std::to_string(last.ranks - static_cast<int64_t>(question.batch)) +
                         " of " + std::to_string(last.ranks) +
                         " ranks without one. Raise data.batch_size, or ask with --weak.");
  if (last.samples < profile.measured_samples() / 8)
    plan.notes.emplace_back(
        "so few samples a rank were not measured: their times follow from larger steps.");
  return plan;
}

}  // namespace hearth::scale
