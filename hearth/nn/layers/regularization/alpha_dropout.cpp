// Sets values at random to what selu gives for very low ones, while training.
#include "hearth/nn/layers/regularization/alpha_dropout.h"

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/nn/dropping.h"

namespace hearth::layers {
namespace {

struct AlphaDropout {
  using Options = AlphaDropoutOptions;
  static void require(const BuildContext& context, const Spec& input) {
    require_float32(context, "alpha_dropout", input);
  }
  static at::Tensor of(const at::Tensor& input, const Options& options) {
    // What selu gives far below zero, and the line that brings mean and variance back.
    constexpr double kLowest = 1.7580993408473766;
    const double scale = 1 / std::sqrt((kLowest * kLowest * options.p + 1) * (1 - options.p));
    const at::Tensor mask = random_mask(input, input.sizes(), options.p);
    const at::Tensor shift = mask.sub(1).mul_(kLowest * scale).add_(kLowest * scale * options.p);
    return input.mul(mask.mul(scale)).add(shift);
  }
};

}  // namespace

const Schema<AlphaDropoutOptions>& AlphaDropoutOptions::schema() {
  using O = AlphaDropoutOptions;
  static const auto fields =
      Schema<O>().field(&O::p, "p", "Share of values that are set.", at_least(0), below(1));
  return fields;
}

Choice<Layer> alpha_dropout(AlphaDropoutOptions options) {
  return choose<Layer>("alpha_dropout", options);
}

void register_alpha_dropout(Registry<Layer>& layers) {
  layers.add<Dropping<AlphaDropout>>(
      "alpha_dropout",
      "Sets values at random to what selu gives far below zero, and keeps mean and variance, while "
      "training; the dropout for selu.");
}

}  // namespace hearth::layers
