// Matrix products in a precision, and the same rounding for LibTorch's operators.
#include "hearth/kernels/product/products.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <torch/csrc/autograd/custom_function.h>

#include "hearth/kernels/product/bfloat16_products_avx512bf16.h"

namespace hearth {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Pairs of values whose panels are on the stack: a product this small would notice an allocation.
constexpr int64_t kStackPanels = 8192;

at::Tensor rounded(const at::Tensor& value, at::ScalarType type) {
  return value.to(type).to(value.scalar_type());
}

struct RoundFactor : torch::autograd::Function<RoundFactor> {
  static at::Tensor forward(AutogradContext*, const at::Tensor& value, int64_t type) {
    return rounded(value, static_cast<at::ScalarType>(type));
  }
  static variable_list backward(AutogradContext*, const variable_list& gradients) {
    return {gradients[0], at::Tensor()};
  }
};

struct RoundGradient : torch::autograd::Function<RoundGradient> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& value, int64_t type) {
    context->saved_data["type"] = type;
    return value.view_as(value);
  }
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto type = static_cast<at::ScalarType>(context->saved_data["type"].toInt());
    return {rounded(gradients[0], type), at::Tensor()};
  }
};

// A copy of a matrix with rounded values, by rows without gaps.
at::Tensor rounded_copy(const Matrix& matrix, int64_t rows, int64_t columns, at::ScalarType type) {
  const at::Tensor values = at::from_blob(const_cast<float*>(matrix.values), {rows, columns},
                                          {matrix.stride, 1}, at::kFloat);
  return values.to(type).to(at::kFloat);
}

}  // namespace

at::ScalarType factor_type(Precision precision) {
  if (precision == Precision::kFloat32) return at::kFloat;
  return precision == Precision::kBfloat16 ? at::kBFloat16 : at::kHalf;
}

void multiply_in(Precision precision, int64_t rows, int64_t columns, int64_t inner,
                 const Matrix& left, const Matrix& right, float* into, int64_t stride, float scale,
                 float keep) {
  if (precision == Precision::kFloat32)
    return multiply(rows, columns, inner, left, right, into, stride, scale, keep);
  if (precision == Precision::kBfloat16 && has_bfloat16_unit()) {
    const Bfloat16Product product{rows,         columns,      inner,
                                  left.values,  left.stride,  left.is_transposed,
                                  right.values, right.stride, right.is_transposed,
                                  into,         stride,       scale,
                                  keep};
    const int64_t size = bfloat16_panel_size(columns, inner);
    if (size <= kStackPanels) {
      alignas(64) uint32_t panels[kStackPanels];
      return multiply_avx512bf16(product, panels);
    }
    const at::Tensor panels = at::empty({size}, at::kInt);
    return multiply_avx512bf16(product, reinterpret_cast<uint32_t*>(panels.data_ptr<int>()));
  }
  const at::ScalarType type = factor_type(precision);
  const at::Tensor own_left = left.is_transposed ? rounded_copy(left, inner, rows, type)
                                                 : rounded_copy(left, rows, inner, type);
  const at::Tensor own_right = right.is_transposed ? rounded_copy(right, columns, inner, type)
                                                   : rounded_copy(right, inner, columns, type);
  multiply(rows, columns, inner, {own_left.data_ptr<float>(), own_left.size(1), left.is_transposed},
           {own_right.data_ptr<float>(), own_right.size(1), right.is_transposed}, into, stride,
           scale, keep);
}

at::Tensor as_factor(Precision precision, const at::Tensor& value) {
  if (precision == Precision::kFloat32 || !value.defined()) return value;
  const at::ScalarType type = factor_type(precision);
  if (!value.is_cpu()) return value.to(type);
  return RoundFactor::apply(value, static_cast<int64_t>(type));
}

at::Tensor as_sum(Precision precision, const at::Tensor& product) {
  if (precision == Precision::kFloat32) return product;
  if (!product.is_cpu()) return product.to(at::kFloat);
  return RoundGradient::apply(product, static_cast<int64_t>(factor_type(precision)));
}

}  // namespace hearth
