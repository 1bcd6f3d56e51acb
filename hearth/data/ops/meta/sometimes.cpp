// Ops that run for some samples, drawn for each.
#include "hearth/data/ops/meta/sometimes.h"

#include "hearth/config/registry.h"
#include "hearth/data/op_list.h"

namespace hearth::sample_ops {

namespace {

class Sometimes : public SampleOp {
 public:
  using Options = SometimesOptions;
  explicit Sometimes(Options options)
      : options_(std::move(options)), ops_("sometimes", options_.of) {
    for (size_t i = 0; i < ops_.size(); ++i) all_.push_back(i);
  }

  std::vector<std::string> reads() const override { return ops_.reads(); }
  std::vector<std::string> writes() const override { return ops_.writes(); }
  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    return ops_.kept_specs(inputs);
  }

  void run(Random& random, std::span<const View> inputs,
           std::span<const Cell> outputs) const override {
    const bool is_on = random.uniform() < options_.probability;
    ops_.run(std::span(all_).first(is_on ? all_.size() : 0), random, inputs, outputs);
  }

 private:
  Options options_;
  OpList ops_;
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
  registry.add<Sometimes>("sometimes", "Runs ops for some samples only.");
}

}  // namespace hearth::sample_ops
