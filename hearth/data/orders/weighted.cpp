// Draws a class by its weight, then one of its samples; the same sample may come again.
#include "hearth/data/orders/weighted.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/core/random.h"
#include "hearth/data/class_members.h"

namespace hearth::orders {

namespace {

// Samples by class, and up to where in [0, 1) each class is drawn.
struct WeightedClasses {
  std::vector<std::vector<int64_t>> members;
  std::vector<double> ends;

  [[nodiscard]] int64_t draw(Random random) const {
    const auto found = std::upper_bound(ends.begin(), ends.end(), double{random.uniform()});
    const auto last = ends.end() - 1;
    const auto& drawn = members[static_cast<size_t>(std::min(found, last) - ends.begin())];
    return drawn[static_cast<size_t>(random.between(0, static_cast<int64_t>(drawn.size()) - 1))];
  }
};

class Weighted : public Order {
 public:
  using Options = WeightedOptions;
  explicit Weighted(Options options) : options_(std::move(options)) {}

  void open(const Source& source) override {
    ClassMembers found = class_members(source, {"order weighted", options_.key}, options_.weights);
    auto classes = std::make_shared<WeightedClasses>();
    classes->members = std::move(found.members);
    double sum = 0;
    for (const double weight : found.weights) classes->ends.push_back(sum += weight);
    for (double& end : classes->ends) end /= sum;
    classes_ = std::move(classes);
  }

  [[nodiscard]] std::unique_ptr<const EpochOrder> epoch(
      const OrderRequest& request) const override {
    static const uint16_t kWeightedDraws = op_number("order weighted");
    OrderRequest sized = request;
    sized.samples = options_.size.value_or(request.samples);
    return cut_order(sized, [classes = classes_, seed = request.seed,
                             epoch = static_cast<uint32_t>(request.epoch)](int64_t position) {
      return classes->draw(Random({.seed = seed,
                                   .epoch = epoch,
                                   .sample = static_cast<uint64_t>(position),
                                   .op = kWeightedDraws}));
    });
  }

 private:
  Options options_;
  std::shared_ptr<const WeightedClasses> classes_;
};

}  // namespace

const Schema<WeightedOptions>& WeightedOptions::schema() {
  using O = WeightedOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::key, "key", "The key that holds a sample's class.", not_empty())
          .field(&O::weights, "weights",
                 "How often each class comes, in any unit; left out: all equally often.",
                 at_least(0), at_most(1e9))
          .field(&O::size, "size",
                 "Samples of an epoch, drawn with repetition; left out: as many as there are.",
                 at_least(1));
  return schema;
}

Choice<Order> weighted(WeightedOptions options) { return choose<Order>("weighted", options); }

void register_weighted(Registry<Order>& registry) {
  registry.add<Weighted>("weighted", "Samples drawn by chance, each class by its weight.");
}

}  // namespace hearth::orders
