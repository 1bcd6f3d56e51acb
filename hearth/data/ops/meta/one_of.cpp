// One of several ops, drawn for each sample by given weights.
#include "hearth/data/ops/meta/one_of.h"

#include <numeric>

#include "hearth/config/registry.h"
#include "hearth/data/list_op.h"

namespace hearth::sample_ops {

namespace {

class OneOf {
 public:
  using Options = OneOfOptions;
  static constexpr const char* kName = "one_of";
  static constexpr bool kKeepsSpecs = false;
  OneOf(const Options& options, size_t ops) : weights_(options.weights), ops_(ops) {}

  [[nodiscard]] std::span<const size_t> draw(Random& random, DrawnOps& room) const {
    room[0] = drawn(random);
    return std::span(room).first(1);
  }

 private:
  [[nodiscard]] size_t drawn(Random& random) const {
    if (weights_.empty()) return random.below(static_cast<uint32_t>(ops_));
    const double sum = std::accumulate(weights_.begin(), weights_.end(), 0.0);
    double rest = static_cast<double>(random.uniform()) * sum;
    size_t last = 0;
    for (size_t i = 0; i < weights_.size(); ++i) {
      if (weights_[i] == 0) continue;
      last = i;
      rest -= weights_[i];
      if (rest < 0) break;
    }
    return last;
  }

  std::vector<double> weights_;
  size_t ops_;
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
  registry.add<ListOp<OneOf>>("one_of", "Runs one of several ops, each time another one.");
}

}  // namespace hearth::sample_ops
