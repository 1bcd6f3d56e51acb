// Every rank makes steps by its own gradients; after some, what all have becomes the mean of it
// (Stich, Local SGD Converges Fast and Communicates Little).
#include "hearth/network/exchanges/local_sgd.h"

#include "hearth/config/registry.h"
#include "hearth/network/exchange.h"

namespace hearth::exchanges {
namespace {

class LocalSgd : public Exchange {
 public:
  using Options = LocalSgdOptions;
  explicit LocalSgd(Options options) : options_(options) {}

  [[nodiscard]] int64_t exact_steps() const override { return options_.exact_steps; }
  [[nodiscard]] int64_t steps_apart() const override { return options_.steps; }

  // Nothing travels.
  [[nodiscard]] Pending send(Parcel&, Post&) override { return {}; }
  [[nodiscard]] Pending go_on(Parcel&, at::Tensor, Post&) override { return {}; }
  // Shards weigh what they are of the batch: a rank's stand for those of all.
  void arrive(Parcel& parcel, const at::Tensor&, const Post& post) override {
    parcel.row.mul_(post.ranks());
  }

 private:
  Options options_;
};

}  // namespace

const Schema<LocalSgdOptions>& LocalSgdOptions::schema() {
  using O = LocalSgdOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::steps, "steps",
                 "Steps that every process makes by itself before weights, and what optimizers "
                 "remember, become the mean of all.",
                 at_least(1))
          .field(&O::exact_steps, "exact_steps",
                 "Steps at the beginning in which gradients travel as they are.", at_least(0));
  return fields;
}

Choice<Exchange> local_sgd(LocalSgdOptions options) {
  return choose<Exchange>("local_sgd", options);
}

void register_local_sgd(Registry<Exchange>& exchanges) {
  exchanges.add<LocalSgd>(
      "local_sgd", "Some steps of every process by itself, then the mean of what they learned.");
}

}  // namespace hearth::exchanges
