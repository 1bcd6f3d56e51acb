// Waves of many lengths over the places of a sequence, added to what stands there.
#include "hearth/nn/layers/position/sinusoidal_positions.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/stack.h>

#include <cmath>

#include "hearth/nn/along_axis.h"
#include "hearth/nn/sequence_memory.h"

namespace hearth::layers {
namespace {

class SinusoidalPositions : public Layer {
 public:
  using Options = SinusoidalPositionsOptions;
  explicit SinusoidalPositions(SinusoidalPositionsOptions options) : options_(options) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_sequence(context, "sinusoidal_positions", input);
    require_parts(context, "sinusoidal_positions", input, 1, 2);
    return float_values_like(context, "sinusoidal_positions", input);
  }

  at::Tensor forward(const at::Tensor& input) override { return input.add(waves(input)); }

 private:
  // [T, D], or [B, T, D] where every sequence has places of its own: sine and cosine in turns, each
  // pair slower than the one before. Computed in double: far places times fast waves would cost a
  // float most of its digits.
  [[nodiscard]] at::Tensor waves(const at::Tensor& input) const {
    const at::TensorOptions exact = input.options().dtype(at::kDouble);
    const auto width = static_cast<double>(input.size(2));
    const at::Tensor places = place_numbers(input).to(at::kDouble).unsqueeze(-1);
    const at::Tensor speeds =
        at::arange(input.size(2) / 2, exact).mul(-2 * std::log(options_.base) / width).exp();
    const at::Tensor angles = places.mul(speeds);
    return at::stack({angles.sin(), angles.cos()}, -1).flatten(-2).to(input.scalar_type());
  }

  SinusoidalPositionsOptions options_;
};

}  // namespace

const Schema<SinusoidalPositionsOptions>& SinusoidalPositionsOptions::schema() {
  using O = SinusoidalPositionsOptions;
  static const auto fields = Schema<O>().field(
      &O::base, "base", "How many times longer the slowest wave is than the fastest.", above(1));
  return fields;
}

Choice<Layer> sinusoidal_positions(SinusoidalPositionsOptions options) {
  return choose<Layer>("sinusoidal_positions", options);
}

void register_sinusoidal_positions(Registry<Layer>& layers) {
  layers.add<SinusoidalPositions>("sinusoidal_positions",
                                  "Adds sines and cosines of each place to a sequence [T, D], so "
                                  "that order counts; nothing is learned.");
}

}  // namespace hearth::layers
