// x -> (x - mean) / std for each column; what the config leaves open is learned from the data.
#include "hearth/data/ops/table/standardize.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/data/table/column_statistics.h"
#include "hearth/data/table/feature_vector.h"

namespace hearth::sample_ops {

namespace {

class StandardizeFitting : public OpFitting {
 public:
  StandardizeFitting(size_t columns, const StandardizeOptions& given)
      : moments_(columns), given_(given) {}
  void add(std::span<const View> inputs) override { moments_.add(inputs[0].as<float>()); }
  Node options() const override {
    Node found = Node::map();
    if (given_.mean.empty())
      found.set("mean", TypeOf<std::vector<double>>::write(moments_.means()));
    if (given_.std.empty())
      found.set("std", TypeOf<std::vector<double>>::write(moments_.deviations()));
    return found;
  }

 private:
  ColumnMoments moments_;
  StandardizeOptions given_;
};

class Standardize : public SampleOp {
 public:
  using Options = StandardizeOptions;
  explicit Standardize(Options options) : options_(std::move(options)) {
    if (needs_fitting()) return;
    for (size_t i = 0; i < std::max(options_.mean.size(), options_.std.size()); ++i) {
      means_.push_back(static_cast<float>(value_at(options_.mean, i)));
      scales_.push_back(static_cast<float>(1 / value_at(options_.std, i)));
    }
  }

  std::vector<std::string> reads() const override { return {options_.key}; }
  bool is_random() const override { return needs_fitting(); }
  std::vector<std::string> writes() const override { return {options_.key}; }
  bool is_in_place() const override { return true; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    require_floats("standardize", options_.key, inputs.at(0));
    require_count("standardize", options_.key, inputs[0], "mean", options_.mean.size());
    require_count("standardize", options_.key, inputs[0], "std", options_.std.size());
    return inputs;
  }

  bool needs_fitting() const override { return options_.mean.empty() || options_.std.empty(); }
  std::unique_ptr<OpFitting> fitting(const std::vector<Spec>& inputs) const override {
    return std::make_unique<StandardizeFitting>(static_cast<size_t>(inputs.at(0).elements()),
                                                options_);
  }

  // A missing number stays one.
  void run(Random&, std::span<const View> inputs, std::span<const Cell> outputs) const override {
    if (means_.empty()) throw_not_fitted("standardize");
    const auto in = inputs[0].as<float>();
    const auto out = outputs[0].as<float>();
    if (means_.size() == 1) {
      for (size_t i = 0; i < in.size(); ++i) out[i] = (in[i] - means_[0]) * scales_[0];
      return;
    }
    for (size_t i = 0; i < in.size(); ++i) out[i] = (in[i] - means_[i]) * scales_[i];
  }

 private:
  Options options_;
  std::vector<float> means_;
  std::vector<float> scales_;
};

}  // namespace

const Schema<StandardizeOptions>& StandardizeOptions::schema() {
  using O = StandardizeOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::key, "key", "The key to change: float32 of one size.", not_empty())
          .field(&O::mean, "mean",
                 "What is subtracted: one number, or one for each column. Left out: the mean of "
                 "each column of the training data, without missing numbers.")
          .field(&O::std, "std",
                 "What it is divided by. Left out: the deviation of each column of the training "
                 "data; 1 where a column does not vary.")
          .check("'std' must be above 0.", [](const O& options) {
            return std::all_of(options.std.begin(), options.std.end(),
                               [](double value) { return value > 0; });
          });
  return schema;
}

Choice<SampleOp> standardize(const StandardizeOptions& options) {
  return choose<SampleOp>("standardize", options);
}

void register_standardize(Registry<SampleOp>& registry) {
  registry.add<Standardize>("standardize",
                            "Numbers of mean 0 and deviation 1, learned from the training data.");
}

}  // namespace hearth::sample_ops
