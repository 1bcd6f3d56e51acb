// Products of rows with rows: by the widest vectors there are.
#include "hearth/kernels/product/row_products.h"

#include "hearth/kernels/kernels.h"

namespace hearth {

void multiply_rows(const Rows& left, const Rows& right, int64_t inner, float* into,
                   int64_t stride) {
  const auto multiply = has_wide_vector_unit() ? multiply_rows_avx512 : multiply_rows_avx2;
  multiply(left, right, inner, into, stride);
}

}  // namespace hearth
