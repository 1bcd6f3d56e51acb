// Blends row i of a batch with row n - 1 - i: x = a x_i + (1 - a) x_j, and the labels likewise,
// with `a` drawn for each batch from Beta(alpha, alpha).
#include "hearth/data/batch_ops/mixup.h"

#include <algorithm>
#include <cmath>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/gamma_draw.h"

namespace hearth::batch_ops {

namespace {

double beta_draw(Random& random, double alpha) {
  const double left = log_gamma_draw(random, alpha);
  const double right = log_gamma_draw(random, alpha);
  return 1 / (1 + std::exp(right - left));
}

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
    const Spec& label = inputs.at(1);
    if (label.role != Role::kClass || label.classes < 1 || !is_label(label))
      throw GraphError("mixup: key " + quote(options_.label) +
                       " must hold a class number, int64 [B], or a share for each class, float32 "
                       "[B, classes], but is " +
                       label.text() + ".");
    Spec soft = label;
    soft.dtype = DType::kFloat32;
    soft.shape = {label.classes};
    return {values, soft};
  }

  void run(Random& random, std::span<const BatchView> inputs,
           std::span<const BatchCell> outputs) const override {
    const auto share = static_cast<float>(beta_draw(random, options_.alpha));
    blend(outputs[0].view().as<float>(), inputs[0].rows(), share);
    const BatchView labels = outputs[1].view();
    if (inputs[1].spec().dtype == DType::kInt64) to_shares(inputs[1].as<int64_t>(), labels);
    blend(labels.as<float>(), inputs[1].rows(), share);
  }

 private:
  static bool is_label(const Spec& spec) {
    return (spec.dtype == DType::kInt64 && spec.shape.empty()) ||
           (spec.dtype == DType::kFloat32 && spec.shape == std::vector{spec.classes});
  }

  static void to_shares(std::span<const int64_t> numbers, const BatchView& shares) {
    for (size_t row = 0; row < numbers.size(); ++row) {
      const auto to = shares.row(static_cast<int64_t>(row)).as<float>();
      std::fill(to.begin(), to.end(), 0.0F);
      if (numbers[row] < 0 || numbers[row] >= static_cast<int64_t>(to.size()))
        throw DataError("class " + std::to_string(numbers[row]) + " is not one of the " +
                        std::to_string(to.size()) + ".");
      to[static_cast<size_t>(numbers[row])] = 1;
    }
  }

  // Pairs from both ends meet in the middle, so that no copy is needed; a middle row stays.
  static void blend(std::span<float> values, int64_t rows, float share) {
    const size_t row = values.size() / static_cast<size_t>(rows);
    for (int64_t i = 0; i < rows / 2; ++i) {
      float* left = values.data() + static_cast<size_t>(i) * row;
      float* right = values.data() + static_cast<size_t>(rows - 1 - i) * row;
      for (size_t k = 0; k < row; ++k) {
        const float a = left[k];
        const float b = right[k];
        left[k] = share * a + (1 - share) * b;
        right[k] = share * b + (1 - share) * a;
      }
    }
  }

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
