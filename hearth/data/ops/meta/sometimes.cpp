// Ops that run for some samples, drawn for each.
#include "hearth/data/ops/meta/sometimes.h"

#include "hearth/config/registry.h"
#include "hearth/data/list_op.h"

namespace hearth::sample_ops {

namespace {

class Sometimes {
 public:
  using Options = SometimesOptions;
  static constexpr const char* kName = "sometimes";
  static constexpr bool kKeepsSpecs = true;
  Sometimes(const Options& options, size_t ops)
      : probability_(options.probability), all_(all_ops(ops)) {}

  [[nodiscard]] std::span<const size_t> draw(Random& random, DrawnOps&) const {
    const bool is_on = random.uniform() < probability_;
    return std::span(all_).first(is_on ? all_.size() : 0);
  }

 private:
  double probability_;
  std::vector<size_t> all_;
};

}  // namespace

const Schema<SometimesOptions>& SometimesOptions::schema() {
  using O = SometimesOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::of, "of", "The ops, which keep the size and kind of keys.", required(),
                 not_empty())
          .field(&O::probability, "probability", "How often they run: 0 never, 1 always.",
                 at_least(0), at_most(1));
  return schema;
}

Choice<SampleOp> sometimes(const SometimesOptions& options) {
  return choose<SampleOp>("sometimes", options);
}

void register_sometimes(Registry<SampleOp>& registry) {
  registry.add<ListOp<Sometimes>>("sometimes", "Runs ops for some samples only.");
}

}  // namespace hearth::sample_ops
