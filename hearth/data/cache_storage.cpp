// Cached records in memory.
#include "hearth/data/cache_storage.h"

#include <sys/mman.h>

#include <cstring>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

class MemoryStorage : public CacheStorage {
 public:
  explicit MemoryStorage(int64_t capacity)
      : bytes_(static_cast<size_t>(capacity)),
        start_(::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    if (start_ == MAP_FAILED)
      throw DataError("data.cache: there are no " + human_bytes(bytes_) +
                      " of addresses for it. Lower data.memory, or use cache: disk.");
  }
  MemoryStorage(const MemoryStorage&) = delete;
  MemoryStorage& operator=(const MemoryStorage&) = delete;
  ~MemoryStorage() override { ::munmap(start_, bytes_); }

  bool write(int64_t offset, std::span<const std::byte> bytes) override {
    std::memcpy(static_cast<std::byte*>(start_) + offset, bytes.data(), bytes.size());
    return true;
  }
  [[nodiscard]] const std::byte* at(int64_t offset) const override {
    return static_cast<const std::byte*>(start_) + offset;
  }

 private:
  size_t bytes_;
  void* start_;
};

}  // namespace

std::unique_ptr<CacheStorage> memory_storage(int64_t capacity) {
  return std::make_unique<MemoryStorage>(capacity);
}

}  // namespace hearth
