// Memory of tensors that is handed out again instead of going back to the system: a step of
// training asks for the same sizes as the step before, and fresh pages are slow.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace hearth {

struct MemoryNumbers {
  uint64_t used_bytes = 0;    // in tensors that live
  uint64_t peak_bytes = 0;    // the most that was used at a time
  uint64_t cached_bytes = 0;  // free, kept for the next tensor
  uint64_t hits = 0;          // blocks handed out again
  uint64_t misses = 0;        // blocks that had to come from the system
};

// Blocks in classes of size, four to each power of two, aligned to 64 bytes. Any thread may give
// back what another took. A cache must outlive its blocks.
class MemoryCache {
 public:
  explicit MemoryCache(uint64_t limit_bytes) : limit_bytes_(limit_bytes) {}
  ~MemoryCache() { trim(); }
  MemoryCache(const MemoryCache&) = delete;
  MemoryCache& operator=(const MemoryCache&) = delete;

  // Null for no bytes. c10::Error when there is no memory even after everything free went back.
  [[nodiscard]] void* take(size_t bytes);
  // Each block knows its cache: this takes blocks of any. Null is fine.
  static void give_back(void* block);

  // Gives everything that is free back to the system.
  void trim();
  // Free bytes kept at most; a block beyond that goes back to the system at once.
  void set_limit(uint64_t bytes);
  [[nodiscard]] uint64_t limit() const;
  [[nodiscard]] MemoryNumbers numbers() const;
  // From here on the peak is counted anew.
  void restart_peak();

 private:
  struct Block;
  static constexpr size_t kClasses = 224;  // up to 2^62 bytes

  [[nodiscard]] Block* pop(size_t size_class);
  [[nodiscard]] Block* fresh(size_t capacity);
  void keep_or_free(Block* block);
  void count_taken(size_t capacity, bool is_hit);

  mutable std::mutex mutex_;
  uint64_t limit_bytes_;
  MemoryNumbers numbers_;
  std::array<Block*, kClasses> free_{};  // most recently used first
};

// The cache that serves LibTorch's tensors once it is installed. It lives as long as the process;
// its limit is a quarter of the memory that the process may use.
[[nodiscard]] MemoryCache& memory_cache();

// Lets the C library keep blocks that were freed, up to 256 MB, instead of giving each back to the
// system and touching fresh pages for the next: a step frees and asks for the same ones every time.
void keep_freed_memory();

// Puts the cache in place of LibTorch's allocator, once; further calls do nothing. Not while other
// threads make tensors. Under the address sanitizer LibTorch's stays, so that no error is hidden.
void install_memory_cache();
// New tensors come from LibTorch's allocator again; those that live still go back to the cache.
void uninstall_memory_cache();
[[nodiscard]] bool is_memory_cache_installed();

}  // namespace hearth
