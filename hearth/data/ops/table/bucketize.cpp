// A number as the class of the stretch it lies in; borders are given, or quantiles of the data.
#include "hearth/data/ops/table/bucketize.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/table/column_statistics.h"
#include "hearth/data/table/feature_vector.h"

namespace hearth::sample_ops {

namespace {

std::vector<double> inner_shares(int64_t buckets) {
  std::vector<double> shares;
  for (int64_t i = 1; i < buckets; ++i)
    shares.push_back(static_cast<double>(i) / static_cast<double>(buckets));
  return shares;
}

class BorderFitting : public OpFitting {
 public:
  BorderFitting(size_t place, int64_t buckets)
      : place_(place), quantiles_(1, inner_shares(buckets)), most_(buckets - 1) {}
  void add(std::span<const View> inputs) override {
    quantiles_.add(inputs[0].as<float>().subspan(place_, 1));
  }
  bool finish() override { return quantiles_.finish(); }
  // As many as there are buckets for, since the network is built for them: what is not there is
  // filled up with borders that nothing reaches.
  Node options() const override {
    std::vector<double> borders = quantiles_.quantiles().at(0);
    borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
    const double last = borders.empty() ? 0 : borders.back();
    for (double next = last; static_cast<int64_t>(borders.size()) < most_;)
      borders.push_back(next += 1 + std::abs(last));
    Node found = Node::map();
    found.set("borders", TypeOf<std::vector<double>>::write(borders));
    return found;
  }

 private:
  size_t place_;
  ColumnQuantiles quantiles_;
  int64_t most_;
};

class Bucketize : public SampleOp {
 public:
  using Options = BucketizeOptions;
  explicit Bucketize(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return {options_.in}; }
  bool is_random() const override { return needs_fitting(); }
  std::vector<std::string> writes() const override { return {options_.out}; }

  // Class 0 is what is missing.
  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    (void)place_in(inputs.at(0));
    const auto given = static_cast<int64_t>(options_.borders.size());
    Spec spec{.dtype = DType::kInt64, .classes = (given > 0 ? given + 1 : options_.buckets) + 1};
    spec.role = Role::kTokens;
    return {spec};
  }

  bool needs_fitting() const override { return options_.borders.empty() && options_.buckets > 1; }
  std::unique_ptr<OpFitting> fitting(const std::vector<Spec>& inputs) const override {
    return std::make_unique<BorderFitting>(place_in(inputs.at(0)), options_.buckets);
  }

  void run(Random&, std::span<const View> inputs, std::span<const Cell> outputs) const override {
    if (needs_fitting()) throw_not_fitted("bucketize");
    const double value = inputs[0].as<float>()[place_in(*inputs[0].spec)];
    if (std::isnan(value)) return outputs[0].set(int64_t{0});
    const auto& borders = options_.borders;
    const auto above = std::upper_bound(borders.begin(), borders.end(), value);
    outputs[0].set(static_cast<int64_t>(above - borders.begin()) + 1);
  }

 private:
  [[nodiscard]] size_t place_in(const Spec& spec) const {
    require_floats("bucketize", options_.in, spec);
    if (!options_.column.empty())
      return column_place("bucketize", options_.in, spec, options_.column);
    if (spec.elements() == 1) return 0;
    throw GraphError("bucketize: key " + quote(options_.in) + " is " + spec.text() +
                     ", several numbers. Name one with `column`." +
                     (spec.columns.empty() ? "" : did_you_mean("", spec.columns)));
  }

  Options options_;
};

}  // namespace

const Schema<BucketizeOptions>& BucketizeOptions::schema() {
  using O = BucketizeOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::in, "in", "The key of the numbers, float32.", not_empty())
          .field(&O::column, "column", "Which of them, by its column; left out: the only one.")
          .field(&O::out, "out", "The key of the class: 0 for a missing number, else from 1 on.",
                 not_empty())
          .field(&O::buckets, "buckets",
                 "How many stretches there are, when borders are learned: each holds about as many "
                 "of the training data's numbers.",
                 at_least(1), at_most(65'536))
          .field(&O::borders, "borders",
                 "Where one stretch ends and the next begins, rising. Left out: quantiles of the "
                 "training data.")
          .check("'borders' must rise.", [](const O& options) {
            const auto& given = options.borders;
            return std::adjacent_find(given.begin(), given.end(), std::greater_equal<>()) ==
                   given.end();
          });
  return schema;
}

Choice<SampleOp> bucketize(const BucketizeOptions& options) {
  return choose<SampleOp>("bucketize", options);
}

void register_bucketize(Registry<SampleOp>& registry) {
  registry.add<Bucketize>("bucketize", "A number as the class of the stretch it lies in.");
}

}  // namespace hearth::sample_ops
