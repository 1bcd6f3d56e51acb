// The dimensions of a sample in another order.
#include "hearth/nn/layers/shape/permute.h"

#include <ATen/ops/permute.h>

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class Permute : public Layer {
 public:
  using Options = PermuteOptions;
  explicit Permute(PermuteOptions options) : options_(std::move(options)) {
    batch_dims_ = {0};
    for (const int64_t dim : options_.dims) batch_dims_.push_back(dim + 1);
  }

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    if (input.shape.size() != options_.dims.size() || input.is_per_batch)
      throw_input_error(context, "permute",
                        std::to_string(options_.dims.size()) + " dimensions besides the batch",
                        input, "Name each of them once in `dims`, counted from 0.");
    Spec output;
    output.dtype = input.dtype;
    for (const int64_t dim : options_.dims)
      output.shape.push_back(input.shape[static_cast<size_t>(dim)]);
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override { return at::permute(input, batch_dims_); }

 private:
  PermuteOptions options_;
  std::vector<int64_t> batch_dims_;
};

}  // namespace

const Schema<PermuteOptions>& PermuteOptions::schema() {
  using O = PermuteOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::dims, "dims",
                 "Which dimension of a sample, counted from 0 without the batch, stands first, "
                 "second and so on: [1, 2, 0] makes [H, W, C] of [C, H, W].",
                 not_empty(), at_least(0))
          .check("permute: dims must name each dimension once, counted from 0.",
                 [](const O& options) {
                   std::vector<int64_t> sorted = options.dims;
                   std::sort(sorted.begin(), sorted.end());
                   for (size_t i = 0; i < sorted.size(); ++i)
                     if (sorted[i] != static_cast<int64_t>(i)) return false;
                   return true;
                 });
  return fields;
}

Choice<Layer> permute(PermuteOptions options) { return choose<Layer>("permute", options); }

void register_permute(Registry<Layer>& layers) {
  layers.add<Permute>("permute", "The dimensions of a sample in another order.");
}

}  // namespace hearth::layers
