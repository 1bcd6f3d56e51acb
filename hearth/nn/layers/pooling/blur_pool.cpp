// A smaller image without aliasing.
#include "hearth/nn/layers/pooling/blur_pool.h"

#include <ATen/ops/outer.h>
#include <ATen/ops/reflection_pad2d.h>
#include <ATen/ops/tensor.h>
#include <algorithm>
#include <memory>
#include <vector>

#include "hearth/config/registry.h"
#include "hearth/kernels/convolution/convolution.h"
#include "hearth/nn/init.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

constexpr double kLargestBlur = 31;

// A row of Pascal's triangle: nearly a normal distribution.
at::Tensor binomial_row(int64_t size) {
  std::vector<double> row = {1};
  for (int64_t i = 1; i < size; ++i) {
    row.push_back(0);
    for (size_t k = row.size() - 1; k > 0; --k) row[k] += row[k - 1];
  }
  return at::tensor(row, at::kDouble);
}

class BlurPool : public Layer {
 public:
  using Options = BlurPoolOptions;
  explicit BlurPool(BlurPoolOptions options) : options_(options) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_image(context, "blur_pool", input);
    const int64_t size = options_.kernel_size;
    if (std::min(input.shape[1], input.shape[2]) <= size / 2) {
      throw_input_error(context, "blur_pool",
                        "sides of more than " + std::to_string(size / 2) + " points", input,
                        "Use a smaller kernel_size.");
    }
    const int64_t channels = input.shape[0];
    take_room(context, "filter", {channels, 1, size, size});
    const at::Tensor row = binomial_row(size);
    filter_ = at::outer(row, row).div(row.sum().square()).to(context.device, at::kFloat);
    filter_ = filter_.expand({channels, 1, size, size}).contiguous();
    convolution_ = std::make_unique<Convolution>(ConvolutionShape{options_.stride, 0, 1, channels});
    Spec output;
    output.shape = {channels, (input.shape[1] - 1) / options_.stride + 1,
                    (input.shape[2] - 1) / options_.stride + 1};
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    const int64_t before = (options_.kernel_size - 1) / 2;
    const int64_t after = options_.kernel_size / 2;
    const at::Tensor image = at::reflection_pad2d(input, {before, after, before, after});
    return convolution_->run(kernels(), image, filter_.to(input.scalar_type()), {});
  }

 private:
  BlurPoolOptions options_;
  at::Tensor filter_;  // the same for ever: no parameter, and in no file
  std::unique_ptr<Convolution> convolution_;
};

}  // namespace

const Schema<BlurPoolOptions>& BlurPoolOptions::schema() {
  using O = BlurPoolOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::kernel_size, "kernel_size", "Side of the window that blurs.", at_least(1),
                 at_most(kLargestBlur))
          .field(&O::stride, "stride", "Every so many points of the blurred image are taken.",
                 at_least(1));
  return fields;
}

Choice<Layer> blur_pool(BlurPoolOptions options) { return choose<Layer>("blur_pool", options); }

void register_blur_pool(Registry<Layer>& layers) {
  layers.add<BlurPool>("blur_pool",
                       "An image [C, H, W] blurred, borders mirrored, before every so many points "
                       "of it are taken: smaller without aliasing.");
}

}  // namespace hearth::layers
