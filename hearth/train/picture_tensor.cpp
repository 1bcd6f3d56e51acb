// Between pictures of bytes and tensors.
#include "hearth/train/picture_tensor.h"

#include <ATen/ops/empty.h>

#include <cstring>

namespace hearth {

at::Tensor tensor_of(const Image& picture) {
  const at::Tensor rows = at::empty({picture.height, picture.width, picture.channels}, at::kByte);
  if (!picture.pixels.empty())
    std::memcpy(rows.data_ptr(), picture.pixels.data(), picture.pixels.size());
  return rows.permute({2, 0, 1});
}

}  // namespace hearth
