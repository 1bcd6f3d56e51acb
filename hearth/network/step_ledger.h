// Which ranks a step is made of: hands out the parts of a batch, takes in what was found of them,
// and makes the step as soon as enough is there.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "hearth/network/tensor_packet.h"

namespace hearth {

// What ranks must agree on between two batches, though it depends on clocks, signals and disks.
struct RankNews {
  bool is_interrupted = false;
  double seconds = 0;
  bool is_saving = false;
};

// Every rank has a slot of its own; who is done takes another's that is lacking, when its owner has
// not begun it for as long as the own took. One who asks for a step that is made already gets what
// it came to, and computes nothing: that is how a late rank catches up. What it found of a step
// that is made is dropped and counted.
class StepLedger {
 public:
  struct Options {
    int64_t ranks = 1;
    int64_t slots = 1;      // parts that a batch is handed out in
    int64_t aggregate = 1;  // of them make a step
    int64_t backlog_bytes = 0;
    std::function<void()> check = {};  // asked by who waits; throws when a rank is lost
  };
  explicit StepLedger(Options options) : options_(std::move(options)), ranks_(options_.ranks) {}

  struct Ask {
    int64_t rank = 0;
    int64_t round = 0;  // batches are numbered, alike on all ranks
    int64_t step = 0;   // of the training
    int64_t live = 0;   // slots that have samples, which come first
    RankNews news = {};
    std::optional<int64_t> slot = {};  // what it found something of
    // The first values["sums"] tensors are added up over slots; what else there is goes to all.
    TensorPacket found = {};
  };
  struct Answer {
    std::optional<int64_t> slot;  // to be computed next
    at::Tensor step;              // or else: the bytes of a GatheredStep
  };
  // Waits until there is an answer. From one thread for each rank.
  [[nodiscard]] Answer ask(Ask ask);
  // Whoever waits, and all who ask from now on, get this error.
  void fail(std::exception_ptr error);

  // By the number of the training's step: what it was made of once, and is made of again, whoever
  // computes it now.
  struct Record {
    std::vector<int64_t> slots;
    std::vector<int64_t> ranks = {};  // who computed each
    std::vector<int64_t> late = {};   // as GatheredStep says
  };
  using Records = std::map<int64_t, Record>;
  void replay(Records records);

  // Gradients that came too late, by rank, of rounds from `round` on.
  void count_from(int64_t round);
  [[nodiscard]] std::vector<int64_t> late();

 private:
  using Lock = std::unique_lock<std::mutex>;
  using Clock = std::chrono::steady_clock;
  struct Rank {
    int64_t round = 0;  // it has made all steps before
    int64_t late = 0;
    RankNews news = {};
  };
  struct Piece {
    std::optional<int64_t> taker;  // the rank that computes it
    Clock::time_point since;
    std::optional<TensorPacket> found;
  };

  void hear(const Ask& ask);
  [[nodiscard]] Clock::duration take(Ask& ask);
  [[nodiscard]] std::optional<int64_t> free_slot(int64_t rank) const;
  [[nodiscard]] std::optional<int64_t> lacking_slot() const;
  [[nodiscard]] bool is_free(int64_t slot) const;
  [[nodiscard]] bool is_lacking() const;
  [[nodiscard]] bool is_wanted(int64_t slot) const;
  [[nodiscard]] int64_t wanted_count() const;
  [[nodiscard]] bool is_full() const { return kept_bytes_ > options_.backlog_bytes; }
  void close();
  [[nodiscard]] TensorPacket made_step() const;
  [[nodiscard]] Json merged_news() const;
  void forget_made();
  template <class Condition>
  void wait(Lock& lock, const Condition& is_met);

  Options options_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Rank> ranks_;
  int64_t open_ = 0;  // the round that is not made yet
  int64_t live_ = 0;
  const Record* record_ = nullptr;      // of the open round
  std::vector<Piece> slots_;            // of the open round; empty: not begun
  std::map<int64_t, at::Tensor> made_;  // rounds that some rank has not asked for
  int64_t kept_bytes_ = 0;
  int64_t counted_from_ = 0;
  Records records_;
  std::exception_ptr error_;
};

// A step as all ranks make it.
struct GatheredStep {
  std::vector<int64_t> slots;       // that it is made of, in order
  std::vector<int64_t> ranks;       // who computed each
  std::vector<at::Tensor> sums;     // over these slots, in the order of all slots
  std::vector<TensorPacket> parts;  // what else was found of each
  std::vector<int64_t> late;        // gradients of each rank that came too late, so far
  RankNews news;

  [[nodiscard]] static GatheredStep of(TensorPacket packet);
};

}  // namespace hearth
