// Dropout while training. The fast path keeps no mask: the backward pass draws the same numbers
// again, by their places and one seed.
#include "hearth/kernels/dropout/dropout.h"

#include <ATen/Parallel.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "hearth/kernels/dense_tensor.h"
#include "hearth/kernels/dropout/dropout_avx2.h"
#include "hearth/kernels/random_stream.h"
#include "hearth/kernels/second_order.h"

namespace hearth {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kDropRow = 4096;  // values that share the keys of a row, and are worth a thread

at::Tensor dropped(const at::Tensor& input, const DropRule& rule) {
  const at::Tensor output = at::empty_like(input);
  const auto* from = input.data_ptr<float>();
  auto* to = output.data_ptr<float>();
  const int64_t count = input.numel();
  at::parallel_for(0, (count + kDropRow - 1) / kDropRow, 1, [&](int64_t row, int64_t end) {
    for (; row < end; ++row) {
      const int64_t start = row * kDropRow;
      drop_row_avx2(rule, row, from + start, to + start, std::min(kDropRow, count - start));
    }
  });
  return output;
}

struct DropoutFunction : torch::autograd::Function<DropoutFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input, double p) {
    const DropRule rule{drawn_seed(), p};
    const at::Tensor output = dropped(input, rule);
    context->saved_data["seed"] = static_cast<int64_t>(rule.seed);
    context->saved_data["share"] = p;
    context->saved_data["strides"] = output.strides().vec();
    return output;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    refuse_second_order();
    auto& kept = context->saved_data;
    const DropRule rule{static_cast<uint64_t>(kept["seed"].toInt()), kept["share"].toDouble()};
    return {dropped(dense_like(gradients[0], kept["strides"].toIntVector()), rule), at::Tensor()};
  }
};

// LibTorch's operator takes no generator; with one, its formula is written out.
at::Tensor plain_dropped(const at::Tensor& input, double p) {
  if (!random_generator()) return at::dropout(input, p, true);
  const at::Tensor noise = at::empty_like(input, at::MemoryFormat::Contiguous);
  noise.bernoulli_(1 - p, random_generator()).div_(1 - p);
  return input.mul(noise);
}

}  // namespace

at::Tensor drop_values(Kernels kernels, const at::Tensor& input, double p) {
  if (p == 0 || input.numel() == 0) return input;
  if (goes_fast(kernels, input)) return DropoutFunction::apply(dense(input), p);
  return plain_dropped(input, p);
}

}  // namespace hearth
