// Random numbers for each sample: mean 0, deviation 1.
#include "hearth/network/ops/noise.h"

#include <ATen/ops/empty.h>

#include "hearth/config/registry.h"
#include "hearth/kernels/random_stream.h"
#include "hearth/network/network_op.h"

namespace hearth::network_ops {
namespace {

class NoiseOp : public NetworkOp {
 public:
  using Options = NoiseOptions;
  explicit NoiseOp(NoiseOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return {options_.like}; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {options_.out}; }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }
  [[nodiscard]] bool passes_gradients() const override { return false; }

  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>&) override {
    Spec noise;
    noise.shape = options_.shape;
    return {noise};
  }

  void run(StepContext&, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    std::vector<int64_t> sizes = {inputs[0].size(0)};
    sizes.insert(sizes.end(), options_.shape.begin(), options_.shape.end());
    const auto options = at::TensorOptions().dtype(at::kFloat).device(inputs[0].device());
    outputs[0] = at::empty(sizes, options).normal_(0, 1, random_generator());
  }

 private:
  NoiseOptions options_;
};

}  // namespace

const Schema<NoiseOptions>& NoiseOptions::schema() {
  using O = NoiseOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::shape, "shape", "Of one sample.", at_least(1))
          .field(&O::like, "like", "A key with a row for each sample: as many rows come out.",
                 not_empty())
          .field(&O::out, "out", "Key of the numbers.", not_empty());
  return fields;
}

Choice<NetworkOp> noise(NoiseOptions options) { return choose<NetworkOp>("noise", options); }

void register_noise(Registry<NetworkOp>& ops) {
  ops.add<NoiseOp>("noise", "Random numbers for each sample, of mean 0 and deviation 1.");
}

}  // namespace hearth::network_ops
