// What the processes that share a training tell each other in a step: sums over all shards, and
// everybody's values.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hearth/cluster/group.h"
#include "hearth/core/shard_tree.h"
#include "hearth/network/courier.h"
#include "hearth/network/exchange.h"
#include "hearth/network/gradient_sum.h"
#include "hearth/network/rank_shares.h"
#include "hearth/network/tensor_packet.h"

namespace hearth {

class RankExchange {
 public:
  // Gradients travel as they are, unless an `exchange` says otherwise.
  // `zero` as Sharding has it.
  RankExchange(Group& group, int64_t shards, std::unique_ptr<Exchange> exchange = nullptr,
               int zero = 0);
  ~RankExchange();

  [[nodiscard]] bool is_first() const { return group_.is_first(); }
  [[nodiscard]] const ShardTree& tree() const { return tree_; }
  [[nodiscard]] int zero() const { return zero_; }
  [[nodiscard]] RankShares& shares() { return shares_; }
  [[nodiscard]] const ShardTree::Range& own_shards() const { return tree_.of_rank(group_.rank()); }

  // Begins a sum of gradients over all shards, as GradientSum says; all ranks do so together. The
  // last one is dropped. `who` as GradientSum has it. With `shares` every rank gets the sums of its
  // share alone.
  std::shared_ptr<GradientSum> begin_sum(std::vector<Handles> shards, size_t running,
                                         const std::string& who = "",
                                         const ParameterShares* shares = nullptr);
  // Every parameter that learns has its sum then. The first time ranks agree on the order in which
  // gradients are found: from then on they travel in it. It changes no bits.
  void finish_sum();

  // Everybody's packet, in the order of ranks.
  [[nodiscard]] std::vector<TensorPacket> gather(std::string_view what, const TensorPacket& own);

  // Everybody's state in the order of ranks, on the first one; nothing on the others.
  [[nodiscard]] std::vector<State> gather_to_first(std::string_view what, const State& own);

  // A step was made. True when ranks have made as many by themselves as they may.
  [[nodiscard]] bool count_step();
  // Whether ranks make steps by themselves, have made some since what they have was averaged, and
  // how that is done: the mean over ranks of all that is not whole numbers.
  [[nodiscard]] bool lets_apart() const { return exchange_->steps_apart() > 0; }
  [[nodiscard]] bool are_apart() const { return steps_apart_ > 0; }
  void end_apart() { steps_apart_ = 0; }
  [[nodiscard]] State mean(std::string_view what, const State& own);

  // What this rank's gradients left, and how many steps were made, to be kept beside that of all
  // others; and back from all of it. ConfigError when there is something left, but not of as many
  // ranks.
  [[nodiscard]] State state() const;
  void restore(const State& state);
  // Where ranks make steps by themselves: the place of this one's models and ops in the state of
  // all, and what is there; nothing when another number of ranks wrote it.
  [[nodiscard]] std::string own_place() const;
  [[nodiscard]] State own_part(const State& state) const;

 private:
  [[nodiscard]] Exchange& exchange_now() const;
  [[nodiscard]] std::vector<size_t> order_of(const Handles& parameters) const;
  void take_means(std::string_view what, const std::vector<at::Tensor*>& tensors);
  void agree_on_order(const std::vector<std::string>& names, const GradientSum& sum);

  Group& group_;
  ShardTree tree_;
  int zero_;
  RankShares shares_;
  std::unique_ptr<Exchange> exact_;
  std::unique_ptr<Exchange> exchange_;
  Courier courier_;
  // By the parameters' names.
  std::map<std::vector<std::string>, std::vector<size_t>> orders_;
  std::vector<std::string> names_;  // of the sum that is made
  std::shared_ptr<GradientSum> sum_;
  int64_t steps_ = 0;        // as far as they are exact
  int64_t steps_apart_ = 0;  // since what ranks have was averaged
  // What packets were sent in, by what for: one that fits needs one message, and nobody has to say
  // its size before.
  std::map<std::string, int64_t, std::less<>> envelopes_;
};

// ConfigError when what an exchange left was saved by another number of ranks.
void check_exchange_state(const State& state, int ranks);

}  // namespace hearth
