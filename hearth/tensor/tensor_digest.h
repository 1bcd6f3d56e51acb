// Digests of tensors and states, by their bits: equal ones, equal digests.
#pragma once

#include <functional>
#include <string>

#include "hearth/tensor/state.h"

namespace hearth {

// 16 hexadecimal digits, of dtype, shape and bits. A tensor on another device is fetched.
[[nodiscard]] std::string fast_digest_of(const at::Tensor& tensor);
// Of the tensors whose names `wants` lets pass, in their order, with their names.
[[nodiscard]] std::string fast_digest_of(const State& state,
                                         const std::function<bool(const std::string&)>& wants = {});

}  // namespace hearth
