// Samples as the source has them.
#include "hearth/data/orders/in_order.h"

#include "hearth/config/registry.h"

namespace hearth::orders {

namespace {

class InOrder : public Order {
 public:
  using Options = InOrderOptions;
  explicit InOrder(const Options&) {}
  [[nodiscard]] std::unique_ptr<const EpochOrder> epoch(
      const OrderRequest& request) const override {
    return cut_order(request, [](int64_t position) { return position; });
  }
};

}  // namespace

const Schema<InOrderOptions>& InOrderOptions::schema() {
  static const Schema<InOrderOptions> schema;
  return schema;
}

Choice<Order> in_order(InOrderOptions options) { return choose<Order>("in_order", options); }

void register_in_order(Registry<Order>& registry) {
  registry.add<InOrder>("in_order", "Samples as the source has them, every epoch the same.");
}

}  // namespace hearth::orders
