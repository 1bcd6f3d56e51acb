#include <atomic>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "hearth/config/registry.h"
#include "hearth/data/fixtures_test.h"

namespace {
std::atomic<int64_t> allocation_count = 0;

void* counted_allocation(size_t bytes, size_t alignment) {
  ++allocation_count;
  const size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded > 0 ? rounded : alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
}  // namespace

// Every allocation of the program goes through here, those of the library too. Not inlined, or the
// compiler sees a `new` whose memory goes to `free`.
[[gnu::noinline]] void* operator new(size_t bytes) {
  return counted_allocation(bytes, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(size_t bytes, std::align_val_t alignment) {
  return counted_allocation(bytes, static_cast<size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace hearth {
namespace {

using testing_data::AddNoise;
using testing_data::Chain;
using testing_data::CountingSource;
using testing_data::Ops;

TEST(Loader, AllocatesNothingForABatchOnceItRuns) {
  const Chain chain(
      std::make_shared<CountingSource>(100'000),
      Ops{std::make_shared<AddNoise>("x", "x", false), std::make_shared<AddNoise>("x", "x", true)},
      {"x", "id"});
  for (const int workers : {0, 2}) {
    LoaderOptions options{.batch_size = 16, .workers = workers, .depth = 2};
    options.shuffle = true;
    Loader loader(100'000, options, chain.every_epoch());
    for (int i = 0; i < 500; ++i) (void)loader.next();
    const int64_t before = allocation_count;
    for (int i = 0; i < 500; ++i) (void)loader.next();
    EXPECT_LE(allocation_count - before, 8) << workers << " workers";
  }
}

// The same hundred images twice: the second time they find all memory there.
TEST(PixelOp, AllocatesNothingForAnImageOnceItHasSeenOneLikeIt) {
  const Spec spec{.dtype = DType::kUint8, .shape = {30, 20, 3}, .role = Role::kImage};
  std::vector<std::byte> image(static_cast<size_t>(spec.bytes()), std::byte{90});
  const View in{image.data(), &spec, spec.shape};
  const Cell out(image.data(), spec);
  for (const char* name : {"aug_mix", "auto_augment", "blur", "channel_shuffle", "coarse_dropout",
                           "color_jitter", "equalize", "hue", "noise", "rand_augment",
                           "random_erasing", "sharpen", "trivial_augment"}) {
    const auto op = registry<SampleOp>().make({name, Node::map()});
    int64_t before = 0;
    for (uint64_t run = 0; run < 200; ++run) {
      if (run == 100) before = allocation_count;
      Random random({.sample = run % 100});
      op->run(random, {&in, 1}, {&out, 1});
    }
    EXPECT_EQ(allocation_count - before, 0) << name;
  }
}

}  // namespace
}  // namespace hearth
