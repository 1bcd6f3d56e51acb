// Memory of tensors that is handed out again instead of going back to the system.
#include "hearth/kernels/memory/memory_cache.h"

#include <c10/core/impl/alloc_cpu.h>
#include <c10/util/Exception.h>
#include <malloc.h>

#include <algorithm>
#include <bit>
#include <new>
#include <string>
#include <utility>

namespace hearth {
namespace {

constexpr size_t kMemoryAlignment = 64;
constexpr size_t kMemoryStepsPerDouble = 4;
constexpr size_t kMemoryLinearBytes =
    kMemoryAlignment * kMemoryStepsPerDouble;  // up to here, steps of 64 bytes
constexpr size_t kMemoryLargestBytes = size_t{1} << 62U;

struct SizeClass {
  size_t index;
  size_t capacity;
};

SizeClass size_class_of(size_t bytes) {
  if (bytes <= kMemoryLinearBytes) {
    const size_t index = (bytes - 1) / kMemoryAlignment;
    return {index, (index + 1) * kMemoryAlignment};
  }
  const size_t base = std::bit_floor(bytes - 1);
  const size_t step = base / kMemoryStepsPerDouble;
  const size_t place = (bytes - 1 - base) / step;
  const auto doublings = static_cast<size_t>(std::countr_zero(base / kMemoryLinearBytes));
  return {kMemoryStepsPerDouble * (doublings + 1) + place, base + (place + 1) * step};
}

// As LibTorch's own allocator does; its macro for that would put the path of the sources here.
[[noreturn]] void refuse_memory(size_t bytes) {
  throw c10::Error(
      {__func__, "memory_cache.cpp", __LINE__},
      "can't allocate memory: you tried to allocate " + std::to_string(bytes) + " bytes.");
}

}  // namespace

// Stands right before the memory it speaks of, and takes a whole alignment.
struct alignas(kMemoryAlignment) MemoryCache::Block {
  MemoryCache* owner;
  Block* next;
  size_t size_class;
  size_t capacity;

  [[nodiscard]] void* memory() { return this + 1; }
  [[nodiscard]] static Block* of(void* memory) { return static_cast<Block*>(memory) - 1; }
};

void* MemoryCache::take(size_t bytes) {
  if (bytes == 0) return nullptr;
  if (bytes > kMemoryLargestBytes) refuse_memory(bytes);
  const SizeClass wanted = size_class_of(bytes);
  Block* block = pop(wanted.index);
  if (block == nullptr) {
    block = fresh(wanted.capacity);
    block->size_class = wanted.index;
  }
  return block->memory();
}

MemoryCache::Block* MemoryCache::pop(size_t size_class) {
  const std::lock_guard lock(mutex_);
  Block* block = free_[size_class];
  if (block == nullptr) return nullptr;
  free_[size_class] = block->next;
  numbers_.cached_bytes -= block->capacity;
  count_taken(block->capacity, true);
  return block;
}

MemoryCache::Block* MemoryCache::fresh(size_t capacity) {
  const auto allocate = [&] { return c10::alloc_cpu(capacity + sizeof(Block)); };
  void* memory = nullptr;
  try {
    memory = allocate();
  } catch (const c10::Error&) {
    trim();
    memory = allocate();
  }
  auto* block = new (memory) Block{this, nullptr, 0, capacity};
  const std::lock_guard lock(mutex_);
  count_taken(capacity, false);
  return block;
}

void MemoryCache::count_taken(size_t capacity, bool is_hit) {
  ++(is_hit ? numbers_.hits : numbers_.misses);
  numbers_.used_bytes += capacity;
  numbers_.peak_bytes = std::max(numbers_.peak_bytes, numbers_.used_bytes);
}

void MemoryCache::give_back(void* memory) {
  if (memory == nullptr) return;
  Block* block = Block::of(memory);
  block->owner->keep_or_free(block);
}

void MemoryCache::keep_or_free(Block* block) {
  {
    const std::lock_guard lock(mutex_);
    numbers_.used_bytes -= block->capacity;
    if (block->capacity <= limit_bytes_ &&
        numbers_.cached_bytes <= limit_bytes_ - block->capacity) {
      numbers_.cached_bytes += block->capacity;
      block->next = std::exchange(free_[block->size_class], block);
      return;
    }
  }
  c10::free_cpu(block);
}

void MemoryCache::trim() {
  std::array<Block*, kClasses> free{};
  {
    const std::lock_guard lock(mutex_);
    free.swap(free_);
    numbers_.cached_bytes = 0;
  }
  for (Block* block : free)
    while (block != nullptr) c10::free_cpu(std::exchange(block, block->next));
  malloc_trim(0);
}

void MemoryCache::set_limit(uint64_t bytes) {
  bool is_over = false;
  {
    const std::lock_guard lock(mutex_);
    limit_bytes_ = bytes;
    is_over = numbers_.cached_bytes > bytes;
  }
  if (is_over) trim();
}

uint64_t MemoryCache::limit() const {
  const std::lock_guard lock(mutex_);
  return limit_bytes_;
}

MemoryNumbers MemoryCache::numbers() const {
  const std::lock_guard lock(mutex_);
  return numbers_;
}

void MemoryCache::restart_peak() {
  const std::lock_guard lock(mutex_);
  numbers_.peak_bytes = numbers_.used_bytes;
}

}  // namespace hearth
