// A training step over many processes, simulated: gradients become ready one after another, go into
// buckets, and buckets are exchanged while the backward pass runs on. No LibTorch.
#pragma once

#include <cstdint>
#include <vector>

namespace hearth::scale {

// A parameter's gradient, and when it is there: seconds since the backward pass began.
struct ReadyGradient {
  int64_t bytes = 0;
  double seconds = 0;
};

// One process's step with nobody to wait for.
struct ComputedStep {
  double forward_seconds = 0;  // and all that comes before the backward pass
  double backward_seconds = 0;
  double update_seconds = 0;             // begins when every gradient is summed up
  std::vector<ReadyGradient> gradients;  // in any order
};

struct Link {
  double bytes_per_second = 0;  // each way; infinity for a link that takes no time
  double latency_seconds = 0;   // of a message
};

struct ClusterShape {
  int64_t hosts = 1;
  int64_t ranks_per_host = 1;
  Link network = {};  // of a host, shared by its ranks
  Link local = {};    // between the ranks of a host, shared by them
  int64_t bucket_bytes = 0;
  int64_t first_bucket_bytes = 0;  // 0: as the others
  bool overlaps = true;            // false: the exchange begins when the backward pass has ended
  [[nodiscard]] int64_t ranks() const { return hosts * ranks_per_host; }
};

struct BucketTimes {
  int64_t bytes = 0;
  double ready = 0;  // all three since the step began
  double begin = 0;
  double end = 0;
};

struct ScheduledStep {
  double seconds = 0;
  double exchange_seconds = 0;  // that the link is busy
  double exposed_seconds = 0;   // of them, those that nothing is computed in
  double bytes_sent = 0;        // by a rank
  std::vector<BucketTimes> buckets;
};

// What a rank sends to sum a bucket up: a slice to each other rank, then its own slice, summed, to
// each of them again.
[[nodiscard]] double bytes_sent(int64_t bucket_bytes, int64_t ranks);
// How long that takes when nothing else is on the link.
[[nodiscard]] double exchange_seconds(int64_t bucket_bytes, const ClusterShape& cluster);
// Gradients fill buckets in the order in which they are ready; a bucket goes when it is full, the
// last one with the last gradient; one is exchanged at a time.
[[nodiscard]] ScheduledStep schedule_step(const ComputedStep& step, const ClusterShape& cluster);

}  // namespace hearth::scale
