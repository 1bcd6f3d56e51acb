// Counts from the end.
#include "orders/open_backwards.h"

#include "hearth/config/registry.h"

namespace hearth::orders {
namespace {

class OpenBackwards : public Order {
 public:
  using Options = OpenBackwardsOptions;
  explicit OpenBackwards(Options options) : options_(options) {}

  // Which sample comes when is a pure function of the request. Chance comes from `Random`, keyed by
  // the request's seed and epoch.
  std::unique_ptr<const EpochOrder> epoch(const OrderRequest& request) const override {
    return cut_order(request, [again = options_.again, last = request.samples - 1](
                                  int64_t position) { return again ? position : last - position; });
  }

 private:
  Options options_;
};

}  // namespace

const Schema<OpenBackwardsOptions>& OpenBackwardsOptions::schema() {
  using O = OpenBackwardsOptions;
  static const auto schema = Schema<O>().field(&O::again, "again", "Turn round once more.");
  return schema;
}

Choice<Order> open_backwards(OpenBackwardsOptions options) {
  return choose<Order>("open_backwards", options);
}

void register_open_backwards(Registry<Order>& registry) {
  registry.add<OpenBackwards>("open_backwards", "The last sample first.");
}

}  // namespace hearth::orders
