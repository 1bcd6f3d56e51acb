// What layers share that make parts of their input zero at random.
#include "hearth/nn/dropping.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <vector>

#include "hearth/kernels/random_stream.h"

namespace hearth {

at::Tensor random_mask(const at::Tensor& like, at::IntArrayRef sizes, double p) {
  return at::empty(sizes, like.options().requires_grad(false))
      .bernoulli_(1 - p, random_generator());
}

at::Tensor drop_parts(const at::Tensor& input, double p, size_t dimensions) {
  std::vector<int64_t> sizes = input.sizes().vec();
  std::fill(sizes.begin() + static_cast<std::ptrdiff_t>(std::min(dimensions, sizes.size())),
            sizes.end(), 1);
  const at::Tensor mask = random_mask(input, sizes, p);
  return input.mul(p < 1 ? mask.div_(1 - p) : mask);
}

}  // namespace hearth
