// The memory cache in the place of LibTorch's allocator.
#include <c10/core/CPUAllocator.h>
#include <malloc.h>

#include "hearth/base/memory.h"
#include "hearth/kernels/memory/memory_cache.h"
#include "hearth/kernels/memory/torch_allocator.h"

namespace hearth {
namespace {

constexpr uint8_t kAboveDefaultPriority = 1;
constexpr uint64_t kPartOfMemory = 4;
constexpr int kKeptByMalloc = 256 * 1024 * 1024;
#ifdef __SANITIZE_ADDRESS__
constexpr bool kIsInstallable = false;
#else
constexpr bool kIsInstallable = true;
#endif

class CachedAllocator : public TorchAllocator {
 public:
  [[nodiscard]] c10::DataPtr memory_of(size_t bytes) const override {
    void* memory = memory_cache().take(bytes);
    return {memory, memory, &MemoryCache::give_back, c10::Device(c10::DeviceType::CPU)};
  }
  [[nodiscard]] c10::DeleterFnPtr raw_deleter() const override { return &MemoryCache::give_back; }
};

// Never destroyed: tensors in other statics may go back to it at the very end.
CachedAllocator& cached_allocator() {
  static auto* const allocator = new CachedAllocator;
  return *allocator;
}

}  // namespace

MemoryCache& memory_cache() {
  static auto* const cache = new MemoryCache(available_memory() / kPartOfMemory);
  return *cache;
}

bool is_memory_cache_installed() { return c10::GetCPUAllocator() == &cached_allocator(); }

void keep_freed_memory() {
  mallopt(M_MMAP_THRESHOLD, kKeptByMalloc);
  mallopt(M_TRIM_THRESHOLD, kKeptByMalloc);
}

void install_memory_cache() {
  if (!kIsInstallable || is_memory_cache_installed()) return;
  c10::SetCPUAllocator(&cached_allocator(), kAboveDefaultPriority);
  keep_freed_memory();  // what oneDNN takes for a call comes from malloc
}

void uninstall_memory_cache() {
  if (is_memory_cache_installed())
    c10::SetCPUAllocator(c10::GetDefaultCPUAllocator(), kAboveDefaultPriority);
}

}  // namespace hearth
