// Where the shards of a batch meet while they compute, for sums over all of them: those of this
// process, each in a thread of its own, and those of other ranks.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <semaphore>
#include <vector>

#include "hearth/base/crew.h"
#include "hearth/core/shard_tree.h"
#include "hearth/kernels/normalization/shared_sum.h"

namespace hearth {

class RankExchange;

// Sums go down the same halves as those of gradients, so that their bits do not depend on who
// computes which shard. No more shards compute at once than there are threads: who waits for the
// others lets another one go on.
class ShardMeeting {
 public:
  // `own` are this process's shards of all; `ranks` is null for one process.
  ShardMeeting(const ShardTree::Range& own, int64_t threads, RankExchange* ranks);
  ~ShardMeeting();

  // Calls work(k) for the first `running` of the own shards, all at once. Every rank asks, also one
  // whose shards have no samples. Throws what the first work that failed threw; GraphError when
  // shards do not make the same sums.
  void run(size_t running, const std::function<void(size_t)>& work);

 private:
  class Place;
  struct Gathered;
  void attend(size_t k, const std::function<void(size_t)>& work);
  [[nodiscard]] at::Tensor of(size_t k, int64_t number, const at::Tensor& own);
  [[nodiscard]] at::Tensor total();
  [[nodiscard]] Gathered gather(int64_t number, const at::Tensor& own) const;
  void follow() const;
  void leave();
  void fail(const std::exception_ptr& error);

  ShardTree::Range own_;
  RankExchange* ranks_;
  Crew crew_;
  std::counting_semaphore<> free_threads_;
  std::vector<std::unique_ptr<Place>> places_;

  std::mutex mutex_;
  std::condition_variable changed_;
  size_t running_ = 0;
  size_t waiting_ = 0;
  size_t gone_ = 0;  // their work is done
  uint64_t round_ = 0;
  std::vector<int64_t> numbers_;
  std::vector<at::Tensor> given_;
  at::Tensor sum_;
  std::exception_ptr error_;
};

}  // namespace hearth
