// Layers that are one expression along a dimension.
#include "hearth/nn/along_axis.h"

namespace hearth {

const Schema<AxisOptions>& AxisOptions::schema() {
  using O = AxisOptions;
  static const auto fields = Schema<O>().field(
      &O::dim, "dim",
      "Dimension of a sample, counted from 0 without the batch, or from the end when negative; "
      "when left out, channels of images [C, H, W] and features of others.");
  return fields;
}

int64_t batch_dim(const at::Tensor& batch, const AxisOptions& options) {
  if (options.dim) return *options.dim < 0 ? *options.dim + batch.dim() : *options.dim + 1;
  return static_cast<int64_t>(feature_axis(static_cast<size_t>(batch.dim() - 1))) + 1;
}

size_t require_axis(const BuildContext& context, const std::string& layer, const Spec& input,
                    const AxisOptions& options) {
  const auto count = static_cast<int64_t>(input.shape.size());
  if (count == 0)
    throw_input_error(context, layer, "at least one dimension besides the batch", input,
                      "Give it features, sequences or images.");
  if (!options.dim) return feature_axis(input.shape.size());
  const int64_t axis = *options.dim < 0 ? *options.dim + count : *options.dim;
  if (axis >= 0 && axis < count) return static_cast<size_t>(axis);
  throw_input_error(context, layer, "a dimension " + std::to_string(*options.dim), input,
                    "Dimensions are counted from 0 without the batch: 0 to " +
                        std::to_string(count - 1) + " here, or -" + std::to_string(count) +
                        " to -1 from the end.");
}

void require_parts(const BuildContext& context, const std::string& layer, const Spec& input,
                   size_t axis, int64_t parts) {
  if (parts == 1 || (input.shape[axis] > 0 && input.shape[axis] % parts == 0)) return;
  throw_input_error(
      context, layer,
      "a multiple of " + std::to_string(parts) + " values along dimension " + std::to_string(axis),
      input, "Let the layer before it give as many.");
}

}  // namespace hearth
