// The memory cache: reuse, bounds, numbers, threads, and tensors on it.
#include "hearth/kernels/memory/memory_cache.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <c10/core/CPUAllocator.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

namespace hearth {
namespace {

constexpr uint64_t kPlenty = uint64_t{1} << 30U;

TEST(MemoryCache, HandsABlockOutAgain) {
  MemoryCache cache(kPlenty);
  void* first = cache.take(1000);
  MemoryCache::give_back(first);
  void* second = cache.take(900);
  EXPECT_EQ(first, second);
  EXPECT_EQ(cache.numbers().hits, 1U);
  EXPECT_EQ(cache.numbers().misses, 1U);
  MemoryCache::give_back(second);
}

TEST(MemoryCache, GivesAlignedBlocksThatHoldWhatWasAskedFor) {
  MemoryCache cache(kPlenty);
  for (size_t bytes : {1, 63, 64, 65, 256, 257, 320, 321, 511, 512, 513, 4095, 4097, 1 << 20}) {
    const uint64_t before = cache.numbers().used_bytes;
    void* block = cache.take(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 64, 0U) << bytes;
    std::memset(block, 1, bytes);
    const uint64_t capacity = cache.numbers().used_bytes - before;
    EXPECT_GE(capacity, bytes);
    EXPECT_LE(capacity, std::max<size_t>(bytes + 64, bytes + bytes / 4)) << bytes;
    MemoryCache::give_back(block);
  }
}

TEST(MemoryCache, GivesNothingForNoBytes) {
  MemoryCache cache(kPlenty);
  EXPECT_EQ(cache.take(0), nullptr);
  MemoryCache::give_back(nullptr);
  EXPECT_EQ(cache.numbers().misses, 0U);
}

TEST(MemoryCache, NeverKeepsMoreThanItsLimit) {
  MemoryCache cache(1024);
  void* first = cache.take(1024);
  void* second = cache.take(64);
  void* large = cache.take(4096);
  for (void* block : {large, first, second}) MemoryCache::give_back(block);
  EXPECT_EQ(cache.numbers().cached_bytes, 1024U);
  cache.set_limit(512);
  EXPECT_EQ(cache.numbers().cached_bytes, 0U);
  EXPECT_EQ(cache.limit(), 512U);
}

TEST(MemoryCache, TrimGivesBackAllThatIsFreeAndNothingElse) {
  MemoryCache cache(kPlenty);
  void* kept = cache.take(128);
  std::memset(kept, 7, 128);
  MemoryCache::give_back(cache.take(4096));
  EXPECT_EQ(cache.numbers().cached_bytes, 4096U);
  cache.trim();
  EXPECT_EQ(cache.numbers().cached_bytes, 0U);
  EXPECT_EQ(cache.numbers().used_bytes, 128U);
  EXPECT_EQ(static_cast<char*>(kept)[127], 7);
  MemoryCache::give_back(kept);
}

TEST(MemoryCache, RemembersThePeakUntilItIsRestarted) {
  MemoryCache cache(kPlenty);
  void* kept = cache.take(64);
  MemoryCache::give_back(cache.take(1024));
  EXPECT_EQ(cache.numbers().peak_bytes, 64U + 1024U);
  cache.restart_peak();
  EXPECT_EQ(cache.numbers().peak_bytes, 64U);
  MemoryCache::give_back(kept);
}

TEST(MemoryCache, ThrowsLibTorchsErrorWhenThereIsNoMemoryAfterATrim) {
  MemoryCache cache(kPlenty);
  MemoryCache::give_back(cache.take(4096));
  EXPECT_THROW((void)cache.take(size_t{1} << 60U), c10::Error);
  EXPECT_EQ(cache.numbers().cached_bytes, 0U);
  EXPECT_EQ(cache.numbers().used_bytes, 0U);
  EXPECT_THROW((void)cache.take(SIZE_MAX), c10::Error);
}

// Each block is filled by who takes it and looked at by who gives it back, on another thread.
TEST(MemoryCache, KeepsBlocksApartWhenThreadsTakeAndGiveBack) {
  MemoryCache cache(uint64_t{1} << 20U);
  std::mutex mutex;
  std::vector<std::pair<unsigned char*, size_t>> shared;
  std::atomic<int> damaged{0};
  const auto work = [&](unsigned seed) {
    for (unsigned i = 0; i < 3000; ++i) {
      const size_t bytes = 1 + (seed * 7919 + i * 104729) % 9000;
      auto* block = static_cast<unsigned char*>(cache.take(bytes));
      std::memset(block, static_cast<int>(bytes % 251), bytes);
      const std::lock_guard lock(mutex);
      shared.emplace_back(block, bytes);
      std::swap(shared.back(), shared[(seed + i) % shared.size()]);
      if (shared.size() < 16) continue;
      const auto [other, size] = shared.back();
      shared.pop_back();
      damaged += other[0] != size % 251 || other[size - 1] != size % 251;
      MemoryCache::give_back(other);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 4; ++seed) threads.emplace_back(work, seed);
  for (std::thread& thread : threads) thread.join();
  for (const auto& [block, size] : shared) MemoryCache::give_back(block);
  EXPECT_EQ(damaged, 0);
  EXPECT_EQ(cache.numbers().used_bytes, 0U);
  EXPECT_LE(cache.numbers().cached_bytes, cache.limit());
  EXPECT_EQ(cache.numbers().hits + cache.numbers().misses, 12000U);
}

#ifndef __SANITIZE_ADDRESS__

int64_t page_faults_of_blocks(int blocks) {
  constexpr size_t kBytes = 16 << 20;
  rusage before{};
  getrusage(RUSAGE_THREAD, &before);
  for (int i = 0; i < blocks; ++i) {
    const std::unique_ptr<void, decltype(&std::free)> block(std::malloc(kBytes), &std::free);
    std::memset(block.get(), i, kBytes);
  }
  rusage after{};
  getrusage(RUSAGE_THREAD, &after);
  return after.ru_minflt - before.ru_minflt;
}

TEST(FreedMemory, IsKeptByTheCLibraryWithoutFreshPages) {
  keep_freed_memory();
  const int64_t first = page_faults_of_blocks(1);
  EXPECT_LE(page_faults_of_blocks(20), first + 100);
}

class InstalledMemoryCache : public testing::Test {
 protected:
  InstalledMemoryCache() { install_memory_cache(); }
  ~InstalledMemoryCache() override { uninstall_memory_cache(); }
};

TEST_F(InstalledMemoryCache, ServesTensors) {
  install_memory_cache();
  EXPECT_TRUE(is_memory_cache_installed());
  void* before = at::empty({100, 100}).data_ptr();
  const uint64_t hits = memory_cache().numbers().hits;
  const at::Tensor again = at::empty({100, 100});
  EXPECT_EQ(again.data_ptr(), before);
  EXPECT_EQ(memory_cache().numbers().hits, hits + 1);
  EXPECT_EQ(at::empty({0}).data_ptr(), nullptr);
}

TEST_F(InstalledMemoryCache, OffersTheRawInterface) {
  c10::Allocator* allocator = c10::GetCPUAllocator();
  const uint64_t used = memory_cache().numbers().used_bytes;
  void* block = allocator->raw_allocate(640);
  EXPECT_EQ(memory_cache().numbers().used_bytes, used + 640);
  allocator->raw_deallocate(block);
  EXPECT_EQ(memory_cache().numbers().used_bytes, used);
}

TEST_F(InstalledMemoryCache, TakesBackTensorsThatOutliveIt) {
  const uint64_t used = memory_cache().numbers().used_bytes;
  at::Tensor cached = at::ones({1000});
  uninstall_memory_cache();
  EXPECT_FALSE(is_memory_cache_installed());
  at::Tensor plain = at::ones({1000});
  EXPECT_EQ(memory_cache().numbers().used_bytes, used + 4096);
  EXPECT_EQ(cached.sum().item<float>(), 1000);
  cached = at::Tensor();
  install_memory_cache();
  plain = at::Tensor();
  EXPECT_EQ(memory_cache().numbers().used_bytes, used);
}

#endif

}  // namespace
}  // namespace hearth
