// Layer normalization over the last dimension.
#include "hearth/kernels/normalization/layer_norm.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/layer_norm.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "hearth/kernels/normalization/layer_norm_avx2.h"
#include "hearth/kernels/parts.h"
#include "hearth/kernels/product/rows_avx2.h"
#include "hearth/kernels/second_order.h"

namespace hearth {
namespace {

constexpr int64_t kLayerNormGrain = 8192;  // values worth a thread
// Rows whose gradients of weight and bias are summed before they join the sum of all: short sums
// keep their digits.
constexpr int64_t kLayerNormRows = 64;

// What the backward pass needs of every row.
struct RowFacts {
  explicit RowFacts(const at::Tensor& kept)  // [2, rows]
      : mean(kept.data_ptr<float>()), inverse(mean + kept.size(1)) {}
  float* mean;
  float* inverse;
};

struct LayerNormFunction : torch::autograd::Function<LayerNormFunction> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& weight, const c10::optional<at::Tensor>& bias,
                            double eps) {
    const int64_t columns = weight.numel();
    const int64_t rows = input.numel() / columns;
    const at::Tensor output = at::empty_like(input);
    const at::Tensor kept = at::empty({2, rows}, input.options());
    const RowFacts facts(kept);
    at::parallel_for(0, rows, kLayerNormGrain / columns + 1, [&](int64_t from, int64_t to) {
      layer_norm_avx2(
          {input.data_ptr<float>() + from * columns, weight.data_ptr<float>(),
           bias ? bias->data_ptr<float>() : nullptr, static_cast<float>(eps),
           output.data_ptr<float>() + from * columns, facts.mean + from, facts.inverse + from},
          to - from, columns);
    });
    context->save_for_backward({input, weight, kept});
    context->saved_data["has_bias"] = bias.has_value();
    return output;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    refuse_second_order();
    const auto saved = context->get_saved_variables();
    const int64_t columns = saved[1].numel();
    const at::Tensor gradient = gradients[0].contiguous();
    const at::Tensor result = at::empty_like(saved[0]);
    const at::Tensor sums = at::empty({2, columns}, saved[1].options());
    run_gradient(gradient, saved, result, sums);
    const bool has_bias = context->saved_data["has_bias"].toBool();
    return {result, sums.select(0, 0), has_bias ? sums.select(0, 1) : at::Tensor(), at::Tensor()};
  }

 private:
  // `sums` receives the gradients of weight and bias.
  static void run_gradient(const at::Tensor& gradient, const torch::autograd::variable_list& saved,
                           const at::Tensor& result, const at::Tensor& sums) {
    const int64_t columns = saved[1].numel();
    const int64_t rows = result.numel() / columns;
    const int64_t parts = std::clamp<int64_t>(rows * columns / kLayerNormGrain, 1,
                                              std::min<int64_t>(at::get_num_threads(), rows));
    const RowFacts facts(saved[2]);
    std::vector<float> of_parts(static_cast<size_t>(parts * 2 * columns));
    for_parts(rows, parts, [&](int64_t part, int64_t first, int64_t count) {
      float* all = of_parts.data() + part * 2 * columns;
      std::vector<float> some(static_cast<size_t>(2 * columns));
      for (int64_t row = first; row < first + count; row += kLayerNormRows) {
        const int64_t at = row * columns;
        std::fill(some.begin(), some.end(), 0.0F);
        layer_norm_gradient_avx2(
            {gradient.data_ptr<float>() + at, saved[0].data_ptr<float>() + at,
             saved[1].data_ptr<float>(), facts.mean + row, facts.inverse + row,
             result.data_ptr<float>() + at, some.data(), some.data() + columns},
            std::min(kLayerNormRows, first + count - row), columns);
        for (int64_t c = 0; c < 2 * columns; ++c) all[c] += some[static_cast<size_t>(c)];
      }
    });
    sum_rows_avx2(of_parts.data(), parts, 2 * columns, 2 * columns, sums.data_ptr<float>());
  }
};

bool layer_norm_goes_fast(Kernels kernels, const at::Tensor& input, const at::Tensor& weight,
                          const at::Tensor& bias) {
  return goes_fast(kernels, input) && goes_fast(kernels, weight) && input.numel() > 0 &&
         weight.dim() == 1 && input.dim() > 0 && input.size(-1) == weight.numel() &&
         (!bias.defined() || (goes_fast(kernels, bias) && bias.sizes() == weight.sizes()));
}

}  // namespace

at::Tensor layer_norm_rows(Kernels kernels, const at::Tensor& input, const at::Tensor& weight,
                           const at::Tensor& bias, double eps) {
  if (layer_norm_goes_fast(kernels, input, weight, bias)) {
    return LayerNormFunction::apply(input.contiguous(), weight.contiguous(), optional_tensor(bias),
                                    eps);
  }
  return at::layer_norm(input, weight.sizes(), weight, bias, eps);
}

}  // namespace hearth
