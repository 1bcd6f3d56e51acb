// Every sample once an epoch, by a permutation that is keyed by seed and epoch.
#include "hearth/data/orders/shuffled.h"

#include "hearth/config/registry.h"
#include "hearth/core/random.h"

namespace hearth::orders {

namespace {

class Shuffled : public Order {
 public:
  using Options = ShuffledOptions;
  explicit Shuffled(const Options&) {}
  [[nodiscard]] std::unique_ptr<const EpochOrder> epoch(
      const OrderRequest& request) const override {
    return cut_order(request, [permutation = Permutation(
                                   static_cast<uint64_t>(request.samples), request.seed,
                                   static_cast<uint64_t>(request.epoch))](int64_t position) {
      return static_cast<int64_t>(permutation.at(static_cast<uint64_t>(position)));
    });
  }
};

}  // namespace

const Schema<ShuffledOptions>& ShuffledOptions::schema() {
  static const Schema<ShuffledOptions> schema;
  return schema;
}

Choice<Order> shuffled(ShuffledOptions options) { return choose<Order>("shuffled", options); }

void register_shuffled(Registry<Order>& registry) {
  registry.add<Shuffled>("shuffled", "Every sample once an epoch, each epoch in another order.");
}

}  // namespace hearth::orders
