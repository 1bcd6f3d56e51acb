// Wang et al., Image Quality Assessment: one minus the structural similarity, the mean over the
// windows of each image.
#include "hearth/network/ops/losses/ssim_loss.h"

#include <ATen/ops/conv2d.h>

#include <cmath>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/network/losses/class_targets.h"
#include "hearth/network/losses/loss_checks.h"
#include "hearth/network/losses/loss_op.h"

namespace hearth::network_ops {
namespace {

struct SsimLoss {
  using Options = SsimLossOptions;
  static LossShape check(const Options& options, std::span<const KeySpec> inputs) {
    for (const KeySpec& key : inputs) {
      check_floats(key);
      const std::vector<int64_t>& shape = key.spec.shape;
      if (shape.size() != 3 || (shape[1] != kAnyLength && shape[1] < options.window) ||
          (shape[2] != kAnyLength && shape[2] < options.window))
        throw GraphError("needs images of at least " + std::to_string(options.window) + " x " +
                         std::to_string(options.window) +
                         " points, float [B, channels, height, width], in " + quote(key.key) +
                         ", but it is " + key.spec.text() +
                         ". Use a smaller window, or name a key with images.");
    }
    check_alike(inputs, "Predict images of the size of the true ones.");
    return {};
  }
  static LossValues losses(const Options& options, const LossInputs& inputs) {
    const at::Tensor& left = inputs[0];
    const at::Tensor right = inputs[1].to(left.scalar_type());
    const at::Tensor window = window_of(options, left);
    const auto mean = [&](const at::Tensor& images) {
      return at::conv2d(images, window, {}, {1, 1}, at::IntArrayRef({0, 0}), {1, 1},
                        images.size(1));
    };
    const double least = std::pow(0.01 * options.range, 2);
    const double little = std::pow(0.03 * options.range, 2);
    const at::Tensor left_mean = mean(left);
    const at::Tensor right_mean = mean(right);
    const at::Tensor product = left_mean.mul(right_mean);
    const at::Tensor squares = left_mean.square().add(right_mean.square());
    const at::Tensor both = mean(left.mul(right)).sub(product);
    const at::Tensor spread = mean(left.square()).add(mean(right.square())).sub(squares);
    const at::Tensor alike = product.mul(2).add(least).mul(both.mul(2).add(little));
    const at::Tensor most = squares.add(least).mul(spread.add(little));
    return {alike.div(most).flatten(1).mean(1).neg().add(1)};
  }

 private:
  // One for each channel: [channels, 1, side, side].
  static at::Tensor window_of(const Options& options, const at::Tensor& images) {
    const int64_t side = options.window;
    std::vector<double> square;
    double sum = 0;
    for (int64_t place = 0; place < side * side; ++place) {
      const auto down = static_cast<double>(place / side - side / 2);
      const auto across = static_cast<double>(place % side - side / 2);
      const double away = (down * down + across * across) / (options.sigma * options.sigma);
      sum += square.emplace_back(std::exp(-away / 2));
    }
    for (double& weight : square) weight /= sum;
    return numbers_for(square, images)
        .reshape({1, 1, side, side})
        .repeat({images.size(1), 1, 1, 1});
  }
};

}  // namespace

const Schema<SsimLossOptions>& SsimLossOptions::schema() {
  using O = SsimLossOptions;
  static const auto fields = weighed(
      Schema<O>()
          .field(&O::in, "in", "Keys of the predicted images and of the true ones.")
          .field(&O::out, "out", "Key of the loss.", not_empty())
          .field(&O::window, "window",
                 "Side of the windows that are compared, an odd number of points.", at_least(1),
                 at_most(255))
          .field(&O::sigma, "sigma", "How fast points count less away from the middle of a window.",
                 above(0))
          .field(&O::range, "range", "From black to white: 1 for images from 0 to 1.", above(0))
          .check("in must name two keys: the images and the true ones.",
                 [](const O& options) { return options.in.size() == 2; })
          .check("window must be odd.", [](const O& options) { return options.window % 2 == 1; }));
  return fields;
}

Choice<NetworkOp> ssim_loss(SsimLossOptions options) {
  return choose<NetworkOp>("ssim_loss", options);
}

void register_ssim_loss(Registry<NetworkOp>& ops) {
  ops.add<LossOp<SsimLoss>>(
      "ssim_loss", "How little two images look alike: one minus their structural similarity.");
}

}  // namespace hearth::network_ops
