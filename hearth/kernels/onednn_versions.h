// What differs between oneDNN 2 and oneDNN 3, so that nothing else asks for the version.
#pragma once

#include <dnnl.hpp>

#include "hearth/kernels/onednn.h"

namespace hearth {

// A kernel described by `arguments`: onednn_described<dnnl::convolution_forward>(attributes, ...).
template <class Primitive, class... Arguments>
[[nodiscard]] typename Primitive::primitive_desc onednn_described(
    const dnnl::primitive_attr& attributes, const Arguments&... arguments) {
#if DNNL_VERSION_MAJOR >= 3
  return typename Primitive::primitive_desc(onednn_engine(), arguments..., attributes);
#else
  return {typename Primitive::desc(arguments...), attributes, onednn_engine()};
#endif
}

// The same for a kernel of the way back, which wants the forward one's description as a hint.
template <class Primitive, class Hint, class... Arguments>
[[nodiscard]] typename Primitive::primitive_desc onednn_described_after(
    const Hint& hint, const dnnl::primitive_attr& attributes, const Arguments&... arguments) {
#if DNNL_VERSION_MAJOR >= 3
  return typename Primitive::primitive_desc(onednn_engine(), arguments..., hint, attributes);
#else
  return {typename Primitive::desc(arguments...), attributes, onednn_engine(), hint};
#endif
}

// Where a layout puts values: axes with strides, and blocks within them.
struct OnednnPlaces {
  bool is_blocked = false;  // else nothing but the sizes is known
  dnnl::memory::dims sizes;
  dnnl::memory::dims padded_sizes;
  dnnl::memory::dims strides;
  dnnl::memory::dims block_axes;  // outermost block first
  dnnl::memory::dims block_sizes;
};
[[nodiscard]] OnednnPlaces onednn_places(const dnnl::memory::desc& layout);

}  // namespace hearth
