// A training step over many processes, simulated.
#include "hearth/train/scale/bucket_schedule.h"

#include <algorithm>

namespace hearth::scale {
namespace {

constexpr double kPhases = 2;  // slices to their owners, sums to everybody

double seconds_for(double bytes, const Link& link) {
  return bytes > 0 ? bytes / link.bytes_per_second : 0;
}

// Buckets with the time at which their last gradient is there.
std::vector<BucketTimes> filled(const ComputedStep& step, const ClusterShape& cluster) {
  std::vector<ReadyGradient> gradients = step.gradients;
  std::stable_sort(gradients.begin(), gradients.end(),
                   [](const ReadyGradient& left, const ReadyGradient& right) {
                     return left.seconds < right.seconds;
                   });
  std::vector<BucketTimes> buckets;
  bool is_open = false;
  for (const ReadyGradient& gradient : gradients) {
    if (!is_open) buckets.emplace_back();
    BucketTimes& bucket = buckets.back();
    bucket.bytes += gradient.bytes;
    bucket.ready = step.forward_seconds + gradient.seconds;
    const bool is_small = buckets.size() == 1 && cluster.first_bucket_bytes > 0;
    is_open = bucket.bytes < (is_small ? cluster.first_bucket_bytes : cluster.bucket_bytes);
  }
  return buckets;
}

}  // namespace

double bytes_sent(int64_t bucket_bytes, int64_t ranks) {
  const auto count = static_cast<double>(ranks);
  return kPhases * static_cast<double>(bucket_bytes) * (count - 1) / count;
}

// In a phase every rank sends a slice to every other one, all at once. What stays on a host goes
// over its memory, what leaves it over its network; the slower of both counts.
double exchange_seconds(int64_t bucket_bytes, const ClusterShape& cluster) {
  const auto ranks = static_cast<double>(cluster.ranks());
  const auto beside = static_cast<double>(cluster.ranks_per_host);
  if (ranks < 2) return 0;
  const double slice = static_cast<double>(bucket_bytes) / ranks;
  const double within = seconds_for(beside * (beside - 1) * slice, cluster.local);
  const double across = seconds_for(beside * (ranks - beside) * slice, cluster.network);
  const double latency =
      cluster.hosts > 1 ? cluster.network.latency_seconds : cluster.local.latency_seconds;
  return kPhases * (latency + std::max(within, across));
}

ScheduledStep schedule_step(const ComputedStep& step, const ClusterShape& cluster) {
  const double computed = step.forward_seconds + step.backward_seconds;
  ScheduledStep scheduled;
  double link_is_free = 0;
  if (cluster.ranks() > 1) scheduled.buckets = filled(step, cluster);
  for (BucketTimes& bucket : scheduled.buckets) {
    if (!cluster.overlaps) bucket.ready = computed;
    bucket.begin = std::max(bucket.ready, link_is_free);
    bucket.end = bucket.begin + exchange_seconds(bucket.bytes, cluster);
    link_is_free = bucket.end;
    scheduled.exchange_seconds += bucket.end - bucket.begin;
    scheduled.bytes_sent += bytes_sent(bucket.bytes, cluster.ranks());
  }
  const double summed = std::max(computed, link_is_free);
  scheduled.exposed_seconds = summed - computed;
  scheduled.seconds = summed + step.update_seconds;
  return scheduled;
}

}  // namespace hearth::scale
