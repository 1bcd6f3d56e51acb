// Gradients as they are: every rank adds up a piece of everybody's, in the order of the shards, and
// gives the sum to all.
#include "hearth/network/exchanges/exact.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/network/exchange.h"

namespace hearth::exchanges {
namespace {

class Exact : public Exchange {
 public:
  using Options = ExactOptions;
  explicit Exact(Options options) : options_(options) {}

  [[nodiscard]] Buckets buckets() const override {
    Buckets buckets;
    buckets.bytes = options_.bucket.bytes;
    buckets.first_bytes = std::min(buckets.first_bytes, buckets.bytes);
    buckets.overlaps = options_.overlap;
    if (!options_.overlap) buckets.first_bytes = buckets.bytes;
    return buckets;
  }
  [[nodiscard]] bool sums_plainly() const override { return true; }
  [[nodiscard]] Pending send(Parcel& parcel, Post& post) override {
    return post.to_each(parcel.row);
  }
  [[nodiscard]] Pending go_on(Parcel& parcel, at::Tensor received, Post& post) override {
    post.own_piece(parcel.row).copy_(post.sum(received));
    return post.complete(parcel.row);
  }
  void arrive(Parcel&, const at::Tensor&, const Post&) override {}

 private:
  Options options_;
};

}  // namespace

const Schema<ExactOptions>& ExactOptions::schema() {
  using O = ExactOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::overlap, "overlap",
                 "Send gradients while the backward pass still finds others; false: after it.")
          .field(&O::bucket, "bucket", "Gradients that are sent together, such as 4MiB.");
  return fields;
}

Choice<Exchange> exact(ExactOptions options) { return choose<Exchange>("exact", options); }

void register_exact(Registry<Exchange>& exchanges) {
  exchanges.add<Exact>("exact", "Sums of gradients to the same bits for any number of processes.");
}

}  // namespace hearth::exchanges
