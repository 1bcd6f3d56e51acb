// Where the shards of a batch meet while they compute, for sums over all of them.
#include "hearth/network/shard_meeting.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/kernels/threads/one_compute_thread.h"
#include "hearth/network/rank_exchange.h"
#include "hearth/tensor/tree_sum.h"

namespace hearth {
namespace {

constexpr int64_t kDone = 0;            // in the place of a sum's number
constexpr int64_t kNobody = INT64_MIN;  // of a rank whose shards have no samples
constexpr const char* kWhat = "sums of batch norms";

[[noreturn]] void refuse_different() {
  throw GraphError(
      "the parts of a batch do not come to the same batch norms with sync: true, so that these "
      "have no statistics of the whole batch. What a model computes, and finds gradients of, must "
      "not depend on the samples there. Leave `sync` out.");
}

int checked_crew(int64_t shards) {
  constexpr int64_t kMost = 255;
  if (shards > kMost)
    throw ConfigError(
        "batch norms with sync: true take a thread for each shard of a process, at "
        "most " +
        std::to_string(kMost) + ", but there are " + std::to_string(shards) +
        ". Use fewer shards, or more processes.");
  return static_cast<int>(shards);
}

}  // namespace

class ShardMeeting::Place : public SharedSum {
 public:
  Place(ShardMeeting& meeting, size_t k) : meeting_(meeting), k_(k) {}
  void begin() { last_ = 0; }
  [[nodiscard]] int64_t next() override { return ++last_; }
  [[nodiscard]] at::Tensor of(int64_t number, const at::Tensor& own) override {
    return meeting_.of(k_, number, own);
  }

 private:
  ShardMeeting& meeting_;
  size_t k_;
  int64_t last_ = 0;
};

// What the ranks brought: their sums, and what these are for where somebody has one.
struct ShardMeeting::Gathered {
  std::vector<at::Tensor> sums;
  int64_t number = kNobody;
};

ShardMeeting::ShardMeeting(const ShardTree::Range& own, int64_t threads, RankExchange* ranks)
    : own_(own),
      ranks_(ranks),
      crew_(checked_crew(own.size()), compute_with_one_thread),
      free_threads_(threads),
      numbers_(static_cast<size_t>(own.size())),
      given_(static_cast<size_t>(own.size())) {
  for (size_t k = 0; k < given_.size(); ++k) places_.push_back(std::make_unique<Place>(*this, k));
}

ShardMeeting::~ShardMeeting() = default;

void ShardMeeting::run(size_t running, const std::function<void(size_t)>& work) {
  running_ = running;
  waiting_ = gone_ = 0;
  error_ = nullptr;
  std::fill(given_.begin(), given_.end(), at::Tensor());
  if (running == 0) return follow();
  crew_.run(static_cast<int>(running), [&](int k) { attend(static_cast<size_t>(k), work); });
  if (ranks_ != nullptr && gather(kDone, {}).number != kDone) refuse_different();
}

void ShardMeeting::attend(size_t k, const std::function<void(size_t)>& work) {
  free_threads_.acquire();
  places_[k]->begin();
  try {
    const SharedSumScope scope(*places_[k]);
    work(k);
  } catch (...) {
    fail(std::current_exception());
    free_threads_.release();
    throw;
  }
  free_threads_.release();
  leave();
}

// Who is done meets nobody any more: others must not wait.
void ShardMeeting::leave() {
  const std::scoped_lock lock(mutex_);
  ++gone_;
  if (waiting_ > 0 && !error_) {
    try {
      refuse_different();
    } catch (...) {
      error_ = std::current_exception();
    }
  }
  changed_.notify_all();
}

void ShardMeeting::fail(const std::exception_ptr& error) {
  const std::scoped_lock lock(mutex_);
  if (!error_) error_ = error;
  changed_.notify_all();
}

at::Tensor ShardMeeting::of(size_t k, int64_t number, const at::Tensor& own) {
  std::unique_lock lock(mutex_);
  if (gone_ > 0 && !error_) refuse_different();
  const uint64_t round = round_;
  numbers_[k] = number;
  given_[k] = own.detach();
  free_threads_.release();
  if (++waiting_ == running_ && !error_) {
    try {
      sum_ = total();
    } catch (...) {
      error_ = std::current_exception();
    }
    waiting_ = 0;
    ++round_;
    changed_.notify_all();
  }
  changed_.wait(lock, [&] { return round_ != round || error_; });
  const std::exception_ptr error = error_;
  const at::Tensor sum = sum_;
  lock.unlock();
  free_threads_.acquire();
  if (error) std::rethrow_exception(error);
  return sum;
}

// Everybody waits meanwhile.
at::Tensor ShardMeeting::total() {
  const at::AutoGradMode no_gradients(false);
  const int64_t number = numbers_[0];
  const auto is_other = [&](int64_t other) { return other != number; };
  if (std::any_of(numbers_.begin(), numbers_.begin() + static_cast<ptrdiff_t>(running_), is_other))
    refuse_different();
  const at::Tensor own = tree_sum(given_);
  if (ranks_ == nullptr) return own;
  const Gathered all = gather(number, own);
  if (all.number != number) refuse_different();
  return tree_sum(all.sums);
}

// All ranks that have samples must be at the same place.
ShardMeeting::Gathered ShardMeeting::gather(int64_t number, const at::Tensor& own) const {
  Gathered all;
  for (const TensorPacket& packet : ranks_->gather(kWhat, {{own}, number})) {
    all.sums.push_back(packet.tensors.at(0));
    const int64_t its = packet.values.get<int64_t>();
    if (its == kNobody) continue;
    if (all.number != kNobody && its != all.number) refuse_different();
    all.number = its;
  }
  return all;
}

// A rank without samples takes part in the others' sums with nothing.
void ShardMeeting::follow() const {
  while (ranks_ != nullptr && gather(kNobody, {}).number != kDone) continue;
}

}  // namespace hearth
