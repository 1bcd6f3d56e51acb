// Larger images: points repeated, or drawn between.
#include "hearth/nn/layers/shape/upsample2d.h"

#include <ATen/ops/upsample_bilinear2d.h>
#include <ATen/ops/upsample_nearest2d.h>

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

constexpr double kMostTimesLarger = 1024;

class Upsample2d : public Layer {
 public:
  using Options = Upsample2dOptions;
  explicit Upsample2d(Upsample2dOptions options) : options_(std::move(options)) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_image(context, "upsample2d", input);
    Spec output;
    output.shape = {input.shape[0], input.shape[1] * options_.factor,
                    input.shape[2] * options_.factor};
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    const std::vector<int64_t> size = {input.size(2) * options_.factor,
                                       input.size(3) * options_.factor};
    return options_.mode == "nearest" ? at::upsample_nearest2d(input, size)
                                      : at::upsample_bilinear2d(input, size, false);
  }

 private:
  Upsample2dOptions options_;
};

}  // namespace

const Schema<Upsample2dOptions>& Upsample2dOptions::schema() {
  using O = Upsample2dOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::factor, "factor", "How many times longer the sides become.", at_least(1),
                 at_most(kMostTimesLarger))
          .field(&O::mode, "mode",
                 "`nearest` repeats each point, `bilinear` draws between them as PyTorch does with "
                 "align_corners off.",
                 one_of({"nearest", "bilinear"}));
  return fields;
}

Choice<Layer> upsample2d(Upsample2dOptions options) { return choose<Layer>("upsample2d", options); }

void register_upsample2d(Registry<Layer>& layers) {
  layers.add<Upsample2d>("upsample2d", "An image [C, H, W] with longer sides.");
}

}  // namespace hearth::layers
