// A linear layer: input times transposed weight, plus bias.
#include "hearth/kernels/product/linear.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/relu.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "hearth/kernels/activation/relu_gradient.h"
#include "hearth/kernels/product/cached_products.h"
#include "hearth/kernels/product/products.h"
#include "hearth/kernels/product/row_products.h"
#include "hearth/kernels/product/rows_avx2.h"
#include "hearth/kernels/second_order.h"

namespace hearth {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Multiply-adds that are worth a thread: below it, waking one costs more than it saves.
constexpr int64_t kLinearGrain = 200'000;
constexpr int64_t kFewRows = 256;
// So few are multiplied as they lie whatever their length, where no gradients are wanted: each
// result then has the same bits however many rows share the product.
constexpr int64_t kLoneRows = 32;
constexpr int64_t kLongRow = 256;
// Rows of a matrix that oneDNN fetches ahead.
constexpr int64_t kFetchedRows = 128;
constexpr int64_t kPanelColumns = 256;
// Rows of a product that stay in the cache for what follows, and the longest rows of a weight of
// which some do.
constexpr int64_t kChunkRows = 96;
constexpr int64_t kLongestWeightRow = 1024;

struct LinearSize {
  int64_t rows;
  int64_t in;
  int64_t out;
  Precision precision = Precision::kFloat32;
  bool is_last = false;  // no backward pass follows
};

// Rows or columns worth a thread when each takes `work` multiply-adds.
int64_t linear_grain(int64_t work) { return std::max<int64_t>(8, kLinearGrain / work + 1); }

LinearSize linear_size(const at::Tensor& input, const at::Tensor& weight, Precision precision) {
  return {input.numel() / weight.size(1), weight.size(1), weight.size(0), precision};
}

// Where a product lies in the input, the weight and the output.
struct LinearPart {
  int64_t row, rows;
  int64_t column, columns;
};

// Few long rows are multiplied as they lie: packing them would cost more than it saves.
bool multiplies_as_they_lie(const LinearSize& size) {
  return size.precision == Precision::kFloat32 && ((size.rows <= kFewRows && size.in >= kLongRow) ||
                                                   (size.is_last && size.rows <= kLoneRows));
}

void multiply_linear_part(const LinearSize& size, const LinearPart& part, const float* input,
                          const float* weight, float* into) {
  if (multiplies_as_they_lie(size)) {
    return multiply_rows({input, part.rows, size.in}, {weight, part.columns, size.in}, size.in,
                         into, size.out);
  }
  multiply_in(size.precision, part.rows, part.columns, size.in, {input, size.in},
              {weight, size.in, true}, into, size.out);
}

// Takes the bias and the relu along while its part of the product is in the thread's cache.
void linear_part(const LinearSize& size, const LinearPart& part, const float* input,
                 const float* weight, const RowTail& tail, float* output) {
  const int64_t start = part.row * size.out + part.column;
  multiply_linear_part(size, part, input + part.row * size.in, weight + part.column * size.in,
                       output + start);
  add_tail_avx2(output + start, part.rows, part.columns, size.out,
                {tail.bias == nullptr ? nullptr : tail.bias + part.column,
                 tail.addend == nullptr ? nullptr : tail.addend + start, tail.relu});
}

// Many rows pay for packing the weight once, for all of them.
bool multiplies_in_chunks(const LinearSize& size) {
  return size.precision == Precision::kFloat32 && size.rows > kFewRows &&
         size.in <= kLongestWeightRow;
}

// Some rows of all outputs.
void linear_rows(const LinearSize& size, int64_t first, int64_t rows, const float* input,
                 const float* weight, const RowTail& tail, float* output) {
  if (!multiplies_in_chunks(size))
    return linear_part(size, {first, rows, 0, size.out}, input, weight, tail, output);
  const at::Tensor packed = at::empty({packed_size(size.out, size.in)}, at::kFloat);
  pack_right_side({weight, size.in, true, size.out, size.in}, packed.data_ptr<float>());
  for (int64_t row = first; row < first + rows; row += kChunkRows) {
    const int64_t count = std::min(kChunkRows, first + rows - row);
    const int64_t at = row * size.out;
    multiply_cached({count,
                     size.out,
                     size.in,
                     {input + row * size.in, size.in},
                     {packed.data_ptr<float>(), 0, size.in},
                     output + at,
                     size.out});
    add_tail_avx2(output + at, count, size.out, size.out,
                  {tail.bias, tail.addend == nullptr ? nullptr : tail.addend + at, tail.relu});
  }
}

// Where there are more weights than inputs, every thread multiplies by the weights of its own
// outputs, the same ones whose gradients it sums and which it updates: what a core wrote and
// another read has to be fetched back before it can be written again.
void linear_forward(const LinearSize& size, const float* input, const float* weight,
                    const RowTail& tail, float* output) {
  if (size.out >= size.rows) {
    const int64_t grain = linear_grain(size.in * size.rows);
    at::parallel_for(0, size.out, grain, [&](int64_t from, int64_t to) {
      linear_part(size, {0, size.rows, from, to - from}, input, weight, tail, output);
    });
    return;
  }
  const int64_t grain = linear_grain(size.in * size.out);
  at::parallel_for(0, size.rows, grain, [&](int64_t from, int64_t to) {
    linear_rows(size, from, to - from, input, weight, tail, output);
  });
}

// The weight gradient of some outputs, where the input has few rows. oneDNN fetches far more rows
// of the input ahead than there are: it would take what lies behind it, such as weights, from the
// core that owns it. A panel of columns at a time is copied to where nothing else lies behind.
void weight_gradient_by_panels(const LinearSize& size, const Matrix& gradient, int64_t outputs,
                               const float* input, float* weight_gradient) {
  const at::Tensor panel = at::empty({size.rows + kFetchedRows, kPanelColumns}, at::kFloat);
  float* copy = panel.data_ptr<float>();
  for (int64_t column = 0; column < size.in; column += kPanelColumns) {
    const int64_t columns = std::min(kPanelColumns, size.in - column);
    for (int64_t row = 0; row < size.rows; ++row) {
      std::copy_n(input + row * size.in + column, columns, copy + row * kPanelColumns);
    }
    multiply(outputs, columns, size.rows, gradient, {copy, kPanelColumns}, weight_gradient + column,
             size.in);
  }
}

// Gradients of weight and bias: every thread owns some outputs, so that nothing is summed twice.
void linear_weight_gradient(const LinearSize& size, const float* gradient, const float* input,
                            float* weight_gradient, float* bias_gradient) {
  at::parallel_for(0, size.out, linear_grain(size.rows * size.in), [&](int64_t from, int64_t to) {
    const Matrix own{gradient + from, size.out, true};
    float* into = weight_gradient + from * size.in;
    const bool is_shared = to - from < size.out;
    if (is_shared && size.rows <= kFewRows && size.precision == Precision::kFloat32) {
      weight_gradient_by_panels(size, own, to - from, input, into);
    } else {
      multiply_in(size.precision, to - from, size.in, size.rows, own, {input, size.in}, into,
                  size.in);
    }
    if (bias_gradient == nullptr) return;
    sum_rows_avx2(gradient + from, size.rows, to - from, size.out, bias_gradient + from);
  });
}

void linear_input_gradient(const LinearSize& size, const float* gradient, const float* weight,
                           float* input_gradient) {
  at::parallel_for(0, size.rows, linear_grain(size.out * size.in), [&](int64_t from, int64_t to) {
    multiply_in(size.precision, to - from, size.in, size.out,
                {gradient + from * size.out, size.out}, {weight, size.in},
                input_gradient + from * size.in, size.in);
  });
}

at::Tensor linear_output(const at::Tensor& input, const at::Tensor& weight,
                         const c10::optional<at::Tensor>& bias,
                         const c10::optional<at::Tensor>& addend, bool relu, Precision precision,
                         bool is_last) {
  LinearSize size = linear_size(input, weight, precision);
  size.is_last = is_last;
  std::vector<int64_t> shape = input.sizes().vec();
  shape.back() = size.out;
  const at::Tensor output = at::empty(shape, input.options());
  linear_forward(size, input.data_ptr<float>(), weight.data_ptr<float>(),
                 {bias ? bias->data_ptr<float>() : nullptr,
                  addend ? addend->data_ptr<float>() : nullptr, relu},
                 output.data_ptr<float>());
  return output;
}

struct LinearFunction : torch::autograd::Function<LinearFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& weight, const c10::optional<at::Tensor>& bias,
                            const c10::optional<at::Tensor>& addend, bool relu,
                            Precision precision) {
    const at::Tensor output = linear_output(input, weight, bias, addend, relu, precision, false);
    context->save_for_backward({input, weight, relu ? output : at::Tensor()});
    context->saved_data["has_bias"] = bias.has_value();
    context->saved_data["has_addend"] = addend.has_value();
    context->saved_data["precision"] = static_cast<int64_t>(precision);
    return output;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    refuse_second_order();
    const variable_list saved = context->get_saved_variables();
    const at::Tensor& input = saved[0];
    const at::Tensor& weight = saved[1];
    const LinearSize size = linear_size(
        input, weight, static_cast<Precision>(context->saved_data["precision"].toInt()));
    at::Tensor gradient = gradients[0].contiguous();
    if (saved[2].defined()) gradient = relu_gradient(gradient, saved[2]);
    const float* flow = gradient.data_ptr<float>();
    variable_list results(6);
    if (context->needs_input_grad(0)) {
      results[0] = at::empty_like(input);
      linear_input_gradient(size, flow, weight.data_ptr<float>(), results[0].data_ptr<float>());
    }
    if (context->saved_data["has_addend"].toBool()) results[3] = gradient;
    const bool has_bias = context->saved_data["has_bias"].toBool();
    if (!context->needs_input_grad(1) && !(has_bias && context->needs_input_grad(2))) {
      return results;
    }
    results[1] = at::empty_like(weight);
    if (has_bias) results[2] = at::empty({size.out}, weight.options());
    linear_weight_gradient(size, flow, input.data_ptr<float>(), results[1].data_ptr<float>(),
                           has_bias ? results[2].data_ptr<float>() : nullptr);
    return results;
  }
};

// What does not fit goes to LibTorch, which says so.
bool linear_goes_fast(Kernels kernels, const at::Tensor& input, const at::Tensor& weight,
                      const at::Tensor& bias) {
  return goes_fast(kernels, input) && goes_fast(kernels, weight) && input.dim() > 0 &&
         weight.dim() == 2 && input.size(-1) == weight.size(1) && input.numel() > 0 &&
         (!bias.defined() || (goes_fast(kernels, bias) && bias.numel() == weight.size(0)));
}

bool addend_fits(Kernels kernels, const at::Tensor& addend, const at::Tensor& input,
                 const at::Tensor& weight) {
  return goes_fast(kernels, addend) && addend.dim() == input.dim() &&
         addend.sizes().slice(0, addend.dim() - 1) == input.sizes().slice(0, input.dim() - 1) &&
         addend.size(-1) == weight.size(0);
}

// The bias is no factor.
at::Tensor plain_product(Precision precision, const at::Tensor& input, const at::Tensor& weight,
                         const at::Tensor& bias) {
  if (precision == Precision::kFloat32) return at::linear(input, weight, bias);
  const at::Tensor product =
      as_sum(precision, at::linear(as_factor(precision, input), as_factor(precision, weight)));
  return bias.defined() ? product.add(bias) : product;
}

}  // namespace

at::Tensor linear_product(Kernels kernels, const at::Tensor& input, const at::Tensor& weight,
                          const at::Tensor& bias, const at::Tensor& addend, bool relu) {
  if (linear_goes_fast(kernels, input, weight, bias) &&
      (!addend.defined() || addend_fits(kernels, addend, input, weight))) {
    if (!at::GradMode::is_enabled())
      return linear_output(input.contiguous(), weight.contiguous(), optional_tensor(bias),
                           optional_tensor(addend), relu, kernels.precision, true);
    return LinearFunction::apply(input.contiguous(), weight.contiguous(), optional_tensor(bias),
                                 optional_tensor(addend), relu, kernels.precision);
  }
  at::Tensor output = plain_product(kernels.precision, input, weight, bias);
  if (addend.defined()) output = output.add(addend);
  return relu ? at::relu(output) : output;
}

void product_weight_gradient(int64_t rows, int64_t in, int64_t out, const float* gradient,
                             const float* input, float* weight_gradient) {
  linear_weight_gradient({rows, in, out}, gradient, input, weight_gradient, nullptr);
}

}  // namespace hearth
