// Several keys of numbers as one vector, in the order they are named.
#include "hearth/data/ops/table/concat_features.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/table/feature_vector.h"

namespace hearth::sample_ops {

namespace {

class ConcatFeatures : public SampleOp {
 public:
  using Options = ConcatFeaturesOptions;
  explicit ConcatFeatures(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return options_.keys; }
  bool is_random() const override { return false; }
  std::vector<std::string> writes() const override { return {options_.out}; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    Spec out{.dtype = DType::kFloat32};
    for (size_t k = 0; k < inputs.size(); ++k) {
      if (inputs[k].dtype != DType::kInt64 || inputs[k].classes > 0)
        require_floats("concat_features", options_.keys[k], inputs[k]);
      for (std::string& name : column_names(options_.keys[k], inputs[k]))
        out.columns.push_back(std::move(name));
    }
    out.shape = {static_cast<int64_t>(out.columns.size())};
    return {out};
  }

  void run(Random&, std::span<const View> inputs, std::span<const Cell> outputs) const override {
    const auto out = outputs[0].as<float>();
    size_t at = 0;
    for (const View& input : inputs) {
      if (input.spec->dtype == DType::kInt64)
        for (const int64_t value : input.as<int64_t>()) out[at++] = static_cast<float>(value);
      else
        for (const float value : input.as<float>()) out[at++] = value;
    }
  }

 private:
  Options options_;
};

}  // namespace

const Schema<ConcatFeaturesOptions>& ConcatFeaturesOptions::schema() {
  using O = ConcatFeaturesOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::keys, "keys",
                 "The keys, in the order of their numbers: float32 of one size, or whole numbers "
                 "that are no classes.",
                 required(), not_empty())
          .field(&O::out, "out", "The key of the vector, float32; may be one of them.",
                 not_empty());
  return schema;
}

Choice<SampleOp> concat_features(const ConcatFeaturesOptions& options) {
  return choose<SampleOp>("concat_features", options);
}

void register_concat_features(Registry<SampleOp>& registry) {
  registry.add<ConcatFeatures>("concat_features", "Several keys of numbers as one vector.");
}

}  // namespace hearth::sample_ops
