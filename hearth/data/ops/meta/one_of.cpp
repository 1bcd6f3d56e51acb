// One of several ops, drawn for each sample by given weights.
#include "hearth/data/ops/meta/one_of.h"

#include <numeric>

#include "hearth/config/registry.h"
#include "hearth/data/op_list.h"

namespace hearth::sample_ops {

namespace {

class OneOf : public SampleOp {
 public:
  using Options = OneOfOptions;
  explicit OneOf(Options options) : options_(std::move(options)), ops_("one_of", options_.of) {}

  std::vector<std::string> reads() const override { return ops_.reads(); }
  std::vector<std::string> writes() const override { return ops_.writes(); }
  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    return ops_.common_specs(inputs);
  }

  void run(Random& random, std::span<const View> inputs,
           std::span<const Cell> outputs) const override {
    const size_t number = drawn(random);
    ops_.run(std::span(&number, 1), random, inputs, outputs);
  }

 private:
  [[nodiscard]] size_t drawn(Random& random) const {
    if (options_.weights.empty()) return random.below(static_cast<uint32_t>(ops_.size()));
    const double sum = std::accumulate(options_.weights.begin(), options_.weights.end(), 0.0);
    double rest = static_cast<double>(random.uniform()) * sum;
    size_t last = 0;
    for (size_t i = 0; i < options_.weights.size(); ++i) {
      if (options_.weights[i] == 0) continue;
      last = i;
      rest -= options_.weights[i];
      if (rest < 0) break;
    }
    return last;
  }

  Options options_;
  OpList ops_;
};

}  // namespace

const Schema<OneOfOptions>& OneOfOptions::schema() {
  using O = OneOfOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::of, "of",
                 "The ops. All make the same sizes and kinds of the keys they write, which are "
                 "there before.",
                 required(), not_empty())
          .field(&O::weights, "weights",
                 "How often each is taken, in any unit; left out: equally often.", at_least(0),
                 at_most(1e9))
          .check("'weights' must hold a number for each op, or none.",
                 [](const O& options) {
                   return options.weights.empty() || options.weights.size() == options.of.size();
                 })
          .check("'weights' must not all be 0.", [](const O& options) {
            return options.weights.empty() ||
                   std::accumulate(options.weights.begin(), options.weights.end(), 0.0) > 0;
          });
  return schema;
}

Choice<SampleOp> one_of(const OneOfOptions& options) { return choose<SampleOp>("one_of", options); }

void register_one_of(Registry<SampleOp>& registry) {
  registry.add<OneOf>("one_of", "Runs one of several ops, each time another one.");
}

}  // namespace hearth::sample_ops
