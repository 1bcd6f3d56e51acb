// LibTorch's allocator as Hearth implements it. LibTorch 2.3 took the constness of `allocate` away
// and asks how memory is copied.
#pragma once

#include <c10/core/Allocator.h>
#include <torch/version.h>

namespace hearth {

#define HEARTH_TORCH_ALLOCATOR_COPIES \
  (TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 3))

class TorchAllocator : public c10::Allocator {
 public:
  // What allocate() gives.
  [[nodiscard]] virtual c10::DataPtr memory_of(size_t bytes) const = 0;

#if HEARTH_TORCH_ALLOCATOR_COPIES
  [[nodiscard]] c10::DataPtr allocate(size_t bytes) final { return memory_of(bytes); }
  void copy_data(void* to, const void* from, size_t bytes) const final {
    default_copy_data(to, from, bytes);
  }
#else
  [[nodiscard]] c10::DataPtr allocate(size_t bytes) const final { return memory_of(bytes); }
#endif
};

#undef HEARTH_TORCH_ALLOCATOR_COPIES

}  // namespace hearth
