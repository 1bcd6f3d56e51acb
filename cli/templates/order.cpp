// Says in one line how my_component works.
#include "my_component.h"

#include "hearth/config/registry.h"

namespace hearth::orders {
namespace {

class MyComponent : public Order {
 public:
  using Options = MyComponentOptions;
  explicit MyComponent(Options options) : options_(options) {}

  // Which sample comes when is a pure function of the request. Chance comes from `Random`, keyed by
  // the request's seed and epoch.
  std::unique_ptr<const EpochOrder> epoch(const OrderRequest& request) const override {
    return cut_order(request, [first = options_.first, samples = request.samples](
                                  int64_t position) { return (first + position) % samples; });
  }

 private:
  Options options_;
};

}  // namespace

const Schema<MyComponentOptions>& MyComponentOptions::schema() {
  using O = MyComponentOptions;
  // YAML, help, docs, checks and defaults all come from this list.
  static const auto schema =
      Schema<O>().field(&O::first, "first", "The sample that comes first.", at_least(0));
  return schema;
}

Choice<Order> my_component(MyComponentOptions options) {
  // C++ writes this where YAML writes the name with its options.
  return choose<Order>("my_component", options);
}

void register_my_component(Registry<Order>& registry) {
  // The second text is its line in `hearth list`.
  registry.add<MyComponent>("my_component", "Says in one line what it does.");
}

}  // namespace hearth::orders
