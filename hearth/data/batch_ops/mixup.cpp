// Blends row i of a batch with row n - 1 - i: x = a x_i + (1 - a) x_j, and the labels likewise,
// with `a` drawn for each batch from Beta(alpha, alpha).
#include "hearth/data/batch_ops/mixup.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/label_shares.h"

namespace hearth::batch_ops {

namespace {

class Mixup : public BatchOp {
 public:
  using Options = MixupOptions;
  explicit Mixup(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return {options_.key, options_.label}; }
  std::vector<std::string> writes() const override { return {options_.key, options_.label}; }
  bool is_in_place() const override { return true; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    const Spec& values = inputs.at(0);
    if (values.dtype != DType::kFloat32 || values.is_ragged())
      throw GraphError("mixup: key " + quote(options_.key) +
                       " must be float32 of one size, but is " + values.text() +
                       ". Put normalize into data.ops; it turns bytes into floats.");
    return {values, shares_spec(inputs.at(1), "mixup", options_.label)};
  }

  void run(Random& random, std::span<const BatchView> inputs,
           std::span<const BatchCell> outputs) const override {
    const auto share = static_cast<float>(beta_draw(random, options_.alpha));
    blend_pairs(outputs[0].view().as<float>(), inputs[0].rows(), share);
    blend_labels(inputs[1], outputs[1].view(), share);
  }

 private:
  Options options_;
};

}  // namespace

const Schema<MixupOptions>& MixupOptions::schema() {
  using O = MixupOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::key, "key", "The key whose values are blended; float32.", not_empty())
          .field(&O::label, "label",
                 "The key of their classes, which becomes a share for each class.", not_empty())
          .field(&O::alpha, "alpha",
                 "How strongly they are blended: shares are drawn from Beta(alpha, alpha).",
                 above(0), at_most(1e6));
  return schema;
}

Choice<BatchOp> mixup(MixupOptions options) { return choose<BatchOp>("mixup", options); }

void register_mixup(Registry<BatchOp>& registry) {
  registry.add<Mixup>("mixup", "Blends the samples of a batch and their labels, pair by pair.");
}

}  // namespace hearth::batch_ops
