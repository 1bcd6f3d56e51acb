// Numbers in the place of missing ones; what the config leaves open is learned from the data.
#include "hearth/data/ops/table/impute.h"

#include <cmath>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/data/table/column_statistics.h"
#include "hearth/data/table/feature_vector.h"

namespace hearth::sample_ops {

namespace {

Node impute_values_node(const std::vector<double>& values) {
  Node found = Node::map();
  found.set("values", TypeOf<std::vector<double>>::write(values));
  return found;
}

class MeanFitting : public OpFitting {
 public:
  explicit MeanFitting(size_t columns) : moments_(columns) {}
  void add(std::span<const View> inputs) override { moments_.add(inputs[0].as<float>()); }
  Node options() const override { return impute_values_node(moments_.means()); }

 private:
  ColumnMoments moments_;
};

class MedianFitting : public OpFitting {
 public:
  explicit MedianFitting(size_t columns) : quantiles_(columns, {0.5}) {}
  void add(std::span<const View> inputs) override { quantiles_.add(inputs[0].as<float>()); }
  bool finish() override { return quantiles_.finish(); }
  Node options() const override {
    std::vector<double> medians;
    for (const auto& column : quantiles_.quantiles())
      medians.push_back(column.empty() ? 0 : column[0]);
    return impute_values_node(medians);
  }

 private:
  ColumnQuantiles quantiles_;
};

class MostFrequentFitting : public OpFitting {
 public:
  explicit MostFrequentFitting(size_t columns) : modes_(columns) {}
  void add(std::span<const View> inputs) override { modes_.add(inputs[0].as<float>()); }
  Node options() const override { return impute_values_node(modes_.modes()); }

 private:
  ColumnModes modes_;
};

class Impute : public SampleOp {
 public:
  using Options = ImputeOptions;
  explicit Impute(Options options) : options_(std::move(options)) {
    if (options_.by == "constant" && options_.values.empty()) options_.values = {0};
  }

  std::vector<std::string> reads() const override { return {options_.key}; }
  bool is_random() const override { return needs_fitting(); }
  std::vector<std::string> writes() const override {
    if (options_.indicator.empty()) return {options_.key};
    return {options_.key, options_.indicator};
  }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    require_floats("impute", options_.key, inputs.at(0));
    require_count("impute", options_.key, inputs[0], "values", options_.values.size());
    if (options_.indicator.empty()) return inputs;
    Spec indicator{.dtype = DType::kFloat32, .shape = inputs[0].shape};
    for (const std::string& name : column_names(options_.key, inputs[0]))
      indicator.columns.push_back(name + ".missing");
    return {inputs[0], indicator};
  }

  bool needs_fitting() const override { return options_.values.empty(); }
  std::unique_ptr<OpFitting> fitting(const std::vector<Spec>& inputs) const override {
    const auto columns = static_cast<size_t>(inputs.at(0).elements());
    if (options_.by == "median") return std::make_unique<MedianFitting>(columns);
    if (options_.by == "most_frequent") return std::make_unique<MostFrequentFitting>(columns);
    return std::make_unique<MeanFitting>(columns);
  }

  void run(Random&, std::span<const View> inputs, std::span<const Cell> outputs) const override {
    if (needs_fitting()) throw_not_fitted("impute");
    const auto in = inputs[0].as<float>();
    const auto out = outputs[0].as<float>();
    const auto missing = options_.indicator.empty() ? std::span<float>() : outputs[1].as<float>();
    for (size_t i = 0; i < in.size(); ++i) {
      const bool is_missing = std::isnan(in[i]);
      out[i] = is_missing ? static_cast<float>(value_at(options_.values, i)) : in[i];
      if (!missing.empty()) missing[i] = is_missing ? 1 : 0;
    }
  }

 private:
  Options options_;
};

}  // namespace

const Schema<ImputeOptions>& ImputeOptions::schema() {
  using O = ImputeOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::key, "key", "The key to fill: float32 of one size, NaN where missing.",
                 not_empty())
          .field(&O::by, "by",
                 "What stands in for a missing number of a column: its mean, its median or its "
                 "most frequent number in the training data, or a constant.",
                 one_of({"mean", "median", "most_frequent", "constant"}))
          .field(&O::values, "values",
                 "The numbers themselves: one, or one for each column. Left out: as `by` says; a "
                 "constant is 0.")
          .field(&O::indicator, "indicator",
                 "A further key: 1 where a number was missing, else 0. Left out: none.");
  return schema;
}

Choice<SampleOp> impute(const ImputeOptions& options) {
  return choose<SampleOp>("impute", options);
}

void register_impute(Registry<SampleOp>& registry) {
  registry.add<Impute>("impute", "Fills in missing numbers, by what the training data shows.");
}

}  // namespace hearth::sample_ops
