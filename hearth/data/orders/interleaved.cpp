// Samples of several files or shards in turns: some are open at a time, each read from its begin to
// its end; where one ends, the next in the epoch's order takes its place.
#include "hearth/data/orders/interleaved.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "hearth/config/registry.h"
#include "hearth/core/random.h"
#include "hearth/data/keyed_seed.h"
#include "hearth/data/sharded.h"

namespace hearth::orders {

namespace {

// Samples [next, end) of the source.
struct Piece {
  int64_t next = 0;
  int64_t end = 0;
  [[nodiscard]] int64_t left() const { return end - next; }
};

// Positions of the epoch in which the same pieces take turns, a block of each.
struct Stretch {
  int64_t begin = 0;
  int64_t block = 1;
  std::vector<int64_t> firsts;  // samples of the pieces at `begin`

  [[nodiscard]] int64_t at(int64_t position) const {
    const int64_t within = position - begin;
    const auto turn = static_cast<size_t>(within / block) % firsts.size();
    const int64_t round = within / block / static_cast<int64_t>(firsts.size());
    return firsts[turn] + round * block + within % block;
  }
};

// An epoch as few stretches: whole rounds until a piece cannot fill its block, then that round
// piece by piece.
class TurnTable {
 public:
  TurnTable(std::vector<Piece> pieces, const InterleavedOptions& options)
      : waiting_(std::move(pieces)) {
    std::reverse(waiting_.begin(), waiting_.end());
    const int64_t block = options.block;
    refill(options.shards);
    while (!open_.empty()) {
      int64_t rounds = open_.front().left() / block;
      for (const Piece& piece : open_) rounds = std::min(rounds, piece.left() / block);
      if (rounds > 0) add_rounds(rounds, block);
      if (std::ranges::none_of(open_, [](const Piece& piece) { return piece.left() == 0; }))
        for (Piece& piece : open_) add_run(piece, std::min(block, piece.left()));
      std::erase_if(open_, [](const Piece& piece) { return piece.left() == 0; });
      refill(options.shards);
    }
  }

  [[nodiscard]] int64_t at(int64_t position) const {
    const auto after = std::upper_bound(
        stretches_.begin(), stretches_.end(), position,
        [](int64_t wanted, const Stretch& stretch) { return wanted < stretch.begin; });
    return (after - 1)->at(position);
  }

 private:
  void refill(int64_t most) {
    while (static_cast<int64_t>(open_.size()) < most && !waiting_.empty()) {
      open_.push_back(waiting_.back());
      waiting_.pop_back();
    }
  }

  void add_rounds(int64_t rounds, int64_t block) {
    Stretch& stretch = stretches_.emplace_back(Stretch{end_, block, {}});
    for (Piece& piece : open_) {
      stretch.firsts.push_back(piece.next);
      piece.next += rounds * block;
      end_ += rounds * block;
    }
  }

  void add_run(Piece& piece, int64_t samples) {
    stretches_.push_back({end_, samples, {piece.next}});
    piece.next += samples;
    end_ += samples;
  }

  std::vector<Piece> waiting_;  // the next one last
  std::vector<Piece> open_;
  std::vector<Stretch> stretches_;
  int64_t end_ = 0;
};

class Interleaved : public Order {
 public:
  using Options = InterleavedOptions;
  explicit Interleaved(const Options& options) : options_(options) {}

  void open(const Source& source) override {
    if (const auto* several = dynamic_cast<const Sharded*>(&source)) ends_ = several->shard_ends();
  }

  [[nodiscard]] std::unique_ptr<const EpochOrder> epoch(
      const OrderRequest& request) const override {
    const auto turns = std::make_shared<const TurnTable>(pieces(request), options_);
    const int64_t window = options_.window;
    return cut_order(request, [turns, window, request](int64_t position) {
      const int64_t number = position / window;
      const int64_t first = number * window;
      const int64_t size = std::min(window, request.samples - first);
      const Permutation order(static_cast<uint64_t>(size),
                              seed_of({request.seed, static_cast<uint64_t>(request.epoch),
                                       "interleaved window", static_cast<uint64_t>(number)}),
                              0);
      return turns->at(first +
                       static_cast<int64_t>(order.at(static_cast<uint64_t>(position - first))));
    });
  }

 private:
  // In the order of the epoch; those without samples are none.
  [[nodiscard]] std::vector<Piece> pieces(const OrderRequest& request) const {
    std::vector<Piece> in_place;
    for (const int64_t end : ends_) {
      const int64_t begin = in_place.empty() ? 0 : in_place.back().end;
      if (end > begin) in_place.push_back({begin, end});
    }
    if (in_place.empty()) in_place.push_back({0, request.samples});
    const Permutation order(
        in_place.size(),
        seed_of({request.seed, static_cast<uint64_t>(request.epoch), "interleaved pieces", 0}), 0);
    std::vector<Piece> shuffled;
    for (uint64_t i = 0; i < order.size(); ++i) shuffled.push_back(in_place[order.at(i)]);
    return shuffled;
  }

  Options options_;
  std::vector<int64_t> ends_;
};

}  // namespace

const Schema<InterleavedOptions>& InterleavedOptions::schema() {
  using O = InterleavedOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::shards, "shards", "Files or shards that are read at the same time.",
                 at_least(1), at_most(65536))
          .field(&O::block, "block", "Samples that each gives before it is the next one's turn.",
                 at_least(1), at_most(int64_t{1} << 40))
          .field(&O::window, "window",
                 "As many samples that follow each other are then shuffled among themselves; 1: "
                 "they stay as they come.",
                 at_least(1));
  return schema;
}

Choice<Order> interleaved(InterleavedOptions options) {
  return choose<Order>("interleaved", options);
}

void register_interleaved(Registry<Order>& registry) {
  registry.add<Interleaved>(
      "interleaved",
      "Samples of several shards in turns, the shards in a new order every epoch: for files that "
      "are read best from their begin to their end. Shards are the files of tfrecord and "
      "webdataset, those of packed, and the sources of concat.");
}

}  // namespace hearth::orders
