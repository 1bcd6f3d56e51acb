// Labels that leave some share to every class.
#include "hearth/data/ops/table/label_smoothing.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth::sample_ops {

namespace {

class SmoothedLabels : public SampleOp {
 public:
  using Options = LabelSmoothingOptions;
  explicit SmoothedLabels(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return {options_.key}; }
  bool is_random() const override { return false; }
  std::vector<std::string> writes() const override { return {options_.key}; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    const Spec& in = inputs.at(0);
    const bool is_label = in.role == Role::kClass && in.classes > 0;
    const bool is_number = in.dtype == DType::kInt64 && in.shape.empty();
    const bool is_soft = in.dtype == DType::kFloat32 && in.shape == std::vector{in.classes};
    if (!is_label || (!is_number && !is_soft))
      throw GraphError("label_smoothing: key " + quote(options_.key) +
                       " must hold a class number or a share for each class, but is " + in.text() +
                       ".");
    Spec spec = in;
    spec.dtype = DType::kFloat32;
    spec.shape = {in.classes};
    return {spec};
  }

  void run(Random&, std::span<const View> inputs, std::span<const Cell> outputs) const override {
    const auto out = outputs[0].as<float>();
    const auto amount = static_cast<float>(options_.amount);
    const float rest = amount / static_cast<float>(out.size());
    if (inputs[0].spec->dtype == DType::kFloat32) {
      const auto in = inputs[0].as<float>();
      for (size_t i = 0; i < out.size(); ++i) out[i] = in[i] * (1 - amount) + rest;
      return;
    }
    const int64_t label = inputs[0].as<int64_t>()[0];
    if (label < 0 || label >= static_cast<int64_t>(out.size()))
      throw DataError("the label is class " + std::to_string(label) + ", but there are " +
                      std::to_string(out.size()) + ".");
    std::fill(out.begin(), out.end(), rest);
    out[static_cast<size_t>(label)] += 1 - amount;
  }

 private:
  Options options_;
};

}  // namespace

const Schema<LabelSmoothingOptions>& LabelSmoothingOptions::schema() {
  using O = LabelSmoothingOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::key, "key",
                 "The label: a class number, which becomes a share for each class, or shares.",
                 not_empty())
          .field(&O::amount, "amount", "The share that is spread over all classes.", at_least(0),
                 at_most(1));
  return schema;
}

Choice<SampleOp> label_smoothing(const LabelSmoothingOptions& options) {
  return choose<SampleOp>("label_smoothing", options);
}

void register_label_smoothing(Registry<SampleOp>& registry) {
  registry.add<SmoothedLabels>("label_smoothing",
                               "Labels that leave some share to every class; usually when: train.");
}

}  // namespace hearth::sample_ops
