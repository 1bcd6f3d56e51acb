// Draws a class by its weight, then one of its samples; the same sample may come again.
#include "hearth/data/orders/weighted.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/core/random.h"

namespace hearth::orders {

namespace {

// The class of every sample is read before the first batch.
constexpr int64_t kMostWeightedSamples = 100'000'000;

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
    auto classes = std::make_shared<WeightedClasses>();
    classes->members = samples_by_class(source);
    const std::vector<double> weights = checked_weights(*classes);
    std::vector<std::vector<int64_t>> drawn;
    double sum = 0;
    for (size_t i = 0; i < weights.size(); ++i) {
      if (weights[i] <= 0 || classes->members[i].empty()) continue;
      sum += weights[i];
      classes->ends.push_back(sum);
      drawn.push_back(std::move(classes->members[i]));
    }
    if (drawn.empty())
      throw DataError("order weighted: no sample has a class whose weight is above 0.");
    for (double& end : classes->ends) end /= sum;
    classes->members = std::move(drawn);
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
  [[nodiscard]] std::vector<std::vector<int64_t>> samples_by_class(const Source& source) const {
    const std::vector<KeySpec> keys = source.keys();
    const size_t at = place_of(keys);
    if (source.size() > kMostWeightedSamples)
      throw DataError("order weighted: the source has " +
                      human_count(static_cast<uint64_t>(source.size())) + " samples, but " +
                      human_count(kMostWeightedSamples) +
                      " is the most whose classes it can look at. Take a subset of it.");
    std::vector<std::vector<int64_t>> members(static_cast<size_t>(keys[at].spec.classes));
    int64_t label = 0;
    std::vector<Cell> cells(keys.size());
    cells[at] = Cell(reinterpret_cast<std::byte*>(&label), keys[at].spec);
    for (int64_t sample = 0; sample < source.size(); ++sample) {
      source.read(sample, cells);
      if (label < 0 || label >= keys[at].spec.classes)
        throw DataError(source.describe(sample) + ": class " + std::to_string(label) +
                        " is not one of the " + std::to_string(keys[at].spec.classes) + ".");
      members[static_cast<size_t>(label)].push_back(sample);
    }
    return members;
  }

  [[nodiscard]] size_t place_of(const std::vector<KeySpec>& keys) const {
    std::vector<std::string> names;
    for (size_t k = 0; k < keys.size(); ++k) {
      names.push_back(keys[k].key);
      if (keys[k].key != options_.key) continue;
      const Spec& spec = keys[k].spec;
      if (spec.role == Role::kClass && spec.dtype == DType::kInt64 && spec.shape.empty()) return k;
      throw DataError("order weighted: key " + quote(options_.key) +
                      " must hold one class number, but is " + spec.text() + ".");
    }
    throw DataError("order weighted: the source has no key " + quote(options_.key) + "." +
                    did_you_mean(options_.key, names));
  }

  // Left out, all classes come equally often.
  [[nodiscard]] std::vector<double> checked_weights(const WeightedClasses& classes) const {
    if (options_.weights.empty()) return std::vector<double>(classes.members.size(), 1.0);
    if (options_.weights.size() == classes.members.size()) return options_.weights;
    throw DataError("order weighted: weights holds " + std::to_string(options_.weights.size()) +
                    " numbers, but there are " + std::to_string(classes.members.size()) +
                    " classes. Give one for each class.");
  }

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
