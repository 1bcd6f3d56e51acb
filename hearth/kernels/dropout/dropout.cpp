// Dropout while training. No mask is kept: the backward pass draws the same numbers again, by their
// places and one seed. The plain path makes a mask of them.
#include "hearth/kernels/dropout/dropout.h"

#include <ATen/Parallel.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "hearth/kernels/dropout/drop_rule.h"
#include "hearth/kernels/dropout/dropout_avx2.h"
#include "hearth/kernels/random_stream.h"
#include "hearth/kernels/second_order.h"

namespace hearth {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kDropGrain = 4096;  // values worth a thread

using DropRow = void (*)(const DropRule& rule, int64_t row, const float* input, float* output,
                         int64_t count);

// Rows are those of the last dimension: so the numbers do not hang on the order in memory.
void drop_rows(DropRow drop, const DropRule& rule, const at::Tensor& input, float* output) {
  const int64_t width = input.dim() > 0 ? input.size(-1) : 1;
  const auto* values = input.data_ptr<float>();
  const int64_t grain = std::max<int64_t>(1, kDropGrain / width);
  at::parallel_for(0, input.numel() / width, grain, [&](int64_t row, int64_t end) {
    for (; row < end; ++row) drop(rule, row, values + row * width, output + row * width, width);
  });
}

at::Tensor dropped(const at::Tensor& input, const DropRule& rule) {
  const at::Tensor output = at::empty_like(input);
  drop_rows(drop_row_avx2, rule, input, output.data_ptr<float>());
  return output;
}

struct DropoutFunction : torch::autograd::Function<DropoutFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input, double p) {
    const DropRule rule{drawn_seed(), p};
    context->saved_data["seed"] = static_cast<int64_t>(rule.seed);
    context->saved_data["share"] = p;
    return dropped(input, rule);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    refuse_second_order();
    auto& kept = context->saved_data;
    const DropRule rule{static_cast<uint64_t>(kept["seed"].toInt()), kept["share"].toDouble()};
    return {dropped(gradients[0].contiguous(), rule), at::Tensor()};
  }
};

// In memory, the numbers are the fast path's; elsewhere they are LibTorch's.
at::Tensor plain_dropped(const at::Tensor& input, double p) {
  if (!input.is_cpu()) return at::dropout(input, p, true);
  const at::Tensor scales = at::empty(input.sizes(), at::kFloat).fill_(1);
  drop_rows(drop_row, {drawn_seed(), p}, scales, scales.data_ptr<float>());
  return input.mul(scales.to(input.scalar_type()));
}

}  // namespace

at::Tensor drop_values(Kernels kernels, const at::Tensor& input, double p) {
  if (p == 0 || input.numel() == 0) return input;
  if (goes_fast(kernels, input)) return DropoutFunction::apply(input.contiguous(), p);
  return plain_dropped(input, p);
}

}  // namespace hearth
