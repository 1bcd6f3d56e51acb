// Between pictures of bytes and tensors of [channels, height, width].
#pragma once

#include <ATen/core/Tensor.h>

#include "hearth/format/image.h"

namespace hearth {

[[nodiscard]] at::Tensor tensor_of(const Image& picture);

}  // namespace hearth
