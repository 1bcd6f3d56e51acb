// Images of another size: points repeated, or drawn between.
#include "hearth/nn/layers/shape/upsample2d.h"

#include <ATen/ops/upsample_bicubic2d.h>
#include <ATen/ops/upsample_bilinear2d.h>
#include <ATen/ops/upsample_nearest2d.h>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

constexpr double kMostTimesLarger = 1024;
constexpr double kLongestSide = 65536;

class Upsample2d : public Layer {
 public:
  using Options = Upsample2dOptions;
  explicit Upsample2d(Upsample2dOptions options) : options_(std::move(options)) {}

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    if (inputs.size() > 2)
      throw GraphError(context.path +
                       " upsample2d: takes an image and at most another one whose "
                       "size it gets, but got " +
                       std::to_string(inputs.size()) + " inputs. Name one or two in `in`.");
    for (const Spec& input : inputs) require_image(context, "upsample2d", input);
    Spec output;
    output.shape = inputs.back().shape;
    output.shape[0] = inputs[0].shape[0];
    if (inputs.size() == 1)
      for (const size_t side : {size_t{1}, size_t{2}})
        output.shape[side] = side_length(output.shape[side], side);
    return {output};
  }

  void forward(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) override {
    const at::Tensor& model = inputs.back();
    std::vector<int64_t> size = {model.size(2), model.size(3)};
    if (inputs.size() == 1) size = {side_length(size[0], 1), side_length(size[1], 2)};
    outputs[0] = resized(inputs[0], size);
  }

 private:
  [[nodiscard]] int64_t side_length(int64_t length, size_t side) const {
    if (options_.size.empty()) return length * options_.factor;
    return options_.size.size() == 1 ? options_.size[0] : options_.size[side - 1];
  }

  [[nodiscard]] at::Tensor resized(const at::Tensor& image,
                                   const std::vector<int64_t>& size) const {
    if (options_.mode == "nearest") return at::upsample_nearest2d(image, size);
    if (options_.mode == "bicubic")
      return at::upsample_bicubic2d(image, size, options_.align_corners);
    return at::upsample_bilinear2d(image, size, options_.align_corners);
  }

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
                 "`nearest` repeats each point, `bilinear` draws straight lines and `bicubic` "
                 "smooth ones between them.",
                 one_of({"nearest", "bilinear", "bicubic"}))
          .field(&O::size, "size",
                 "Height and width that come out, or one number for both, instead of `factor`. A "
                 "second input's height and width stand in the place of both options.",
                 at_least(1), at_most(kLongestSide))
          .field(&O::align_corners, "align_corners",
                 "Whether the middles of the outermost points stay where they are, or their edges; "
                 "not for `nearest`.")
          .check("upsample2d: size takes one number, or height and width.",
                 [](const O& options) { return options.size.size() <= 2; })
          .check(
              "upsample2d: align_corners means nothing to the mode nearest. Leave it out, or "
              "use bilinear or bicubic.",
              [](const O& options) { return !options.align_corners || options.mode != "nearest"; });
  return fields;
}

Choice<Layer> upsample2d(Upsample2dOptions options) { return choose<Layer>("upsample2d", options); }

void register_upsample2d(Registry<Layer>& layers) {
  layers.add<Upsample2d>("upsample2d",
                         "An image [C, H, W] in another size, by a factor or as large as a second "
                         "input.");
}

}  // namespace hearth::layers
