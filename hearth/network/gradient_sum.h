// One sum of gradients over all ranks: from the first that the backward pass finds to all sums in
// their places.
#pragma once

#include <exception>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "hearth/network/courier.h"
#include "hearth/network/exchange.h"
#include "hearth/optim/parameter_shares.h"

namespace hearth {

// Parameters by <model>/<name>, as they lie in memory.
using Handles = std::vector<NamedTensor>;

// Gradients go in parcels, which are made up alike on all ranks. One is sent when all of this
// rank's shards have found its gradients and those before it are on their way, while the backward
// pass goes on. Parameters that do not learn in this step do not travel.
class GradientSum {
 public:
  struct Ways {
    Group& group;
    const ShardTree& tree;
    Exchange& exchange;
    Courier& courier;
    std::string who;  // as in "update of net: ", for who waits too long
    // Every rank is sent the sums of its share alone; null: all of them.
    const ParameterShares* shares = nullptr;
  };
  // The same parameters in each of this rank's shards, of which the first `running` find gradients
  // now; others may have some of earlier batches. `order` says which parameters come first.
  GradientSum(Ways ways, std::vector<Handles> shards, size_t running,
              const std::vector<size_t>& order);
  ~GradientSum();  // waits for what is on its way
  GradientSum(const GradientSum&) = delete;
  GradientSum& operator=(const GradientSum&) = delete;

  // Whether `found` shall be told.
  [[nodiscard]] bool listens() const { return ways_.exchange.buckets().overlaps; }
  // The parameter, by its place in the list, has all of its gradient in one more shard. From any
  // thread; what goes wrong comes out of `finish`.
  void found(size_t parameter) noexcept;
  // The backward pass is over: what was not found is not there.
  void send_rest();
  // Gradients of the first shard's parameters become the sums, of those that have any on some rank;
  // the others' are dropped. With shares they are the sums of what this rank has of the parameter:
  // a row where that is a part of it, and one without values where that is nothing.
  void finish();

  // Parameters in the order in which they were found; those that were not come last.
  [[nodiscard]] std::vector<size_t> order_found() const;

 private:
  struct Bucket {
    std::vector<size_t> parameters;  // by their places in the list
    Parcel parcel;
    Post post;
    Pending pending;
    size_t missing = 0;  // gradients that are still to be found
    // With shares: whose part of the row comes where, by ranks, and where each parameter's values
    // are in the own part.
    std::vector<int64_t> sizes = {};
    std::vector<int64_t> own_begins = {};
  };
  [[nodiscard]] std::vector<std::vector<size_t>> shared_out(const std::vector<size_t>& order) const;
  [[nodiscard]] Parcel parcel_of(const std::vector<size_t>& parameters) const;
  void send_complete();
  void send(Bucket& bucket);
  void send_shares(Bucket& bucket);
  void take_out_shares(const Bucket& bucket, const at::Tensor& gradients_anywhere) const;
  [[nodiscard]] at::Tensor own_sum(size_t parameter) const;
  [[nodiscard]] at::Tensor gradients_here() const;
  void take_out(const Bucket& bucket, const at::Tensor& gradients_anywhere) const;

  Ways ways_;
  std::vector<Handles> shards_;
  std::mutex mutex_;
  std::vector<Bucket> buckets_;
  std::vector<size_t> bucket_of_;
  std::vector<size_t> missing_;  // shards that are still to find it, for each parameter
  std::vector<size_t> found_;
  std::vector<bool> was_here_;  // with shares: gradients go when they are sent
  size_t next_ = 0;             // bucket to send
  std::exception_ptr error_;
};

}  // namespace hearth
