// Gradients that travel between ranks together.
#include "hearth/network/parcel.h"

namespace hearth {

at::Tensor as_row(const at::Tensor& tensor) {
  if (tensor.is_non_overlapping_and_dense())
    return tensor.as_strided({tensor.numel()}, {1}, tensor.storage_offset());
  return tensor.reshape({-1});
}

at::Tensor Parcel::values(const Part& part) const {
  const at::Tensor& parameter = part.parameter;
  const at::Tensor place = row.narrow(0, part.begin, parameter.numel());
  if (parameter.is_non_overlapping_and_dense())
    return place.as_strided(parameter.sizes(), parameter.strides(), place.storage_offset());
  return place.view(parameter.sizes());
}

at::Tensor Parcel::ordinary(const Part& part) const { return values(part).reshape({-1}); }

void Parcel::put(const Part& part, const at::Tensor& ordinary) const {
  (void)values(part).copy_(ordinary.view(part.parameter.sizes()));
}

}  // namespace hearth
