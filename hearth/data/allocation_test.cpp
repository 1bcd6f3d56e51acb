#include <atomic>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "hearth/config/registry.h"
#include "hearth/data/fixtures_test.h"
#include "hearth/data/ops/image/elastic.h"
#include "hearth/data/ops/image/flip.h"
#include "hearth/data/ops/image/perspective.h"
#include "hearth/data/ops/image/random_resized_crop.h"
#include "hearth/data/ops/image/rotate.h"
#include "hearth/data/ops/meta/one_of.h"
#include "hearth/data/ops/meta/repeat.h"
#include "hearth/data/ops/meta/some_of.h"
#include "hearth/data/ops/meta/sometimes.h"

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
                           "color_jitter", "equalize", "hue", "jpeg_artifacts", "noise",
                           "rand_augment", "random_erasing", "sharpen", "trivial_augment"}) {
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

// Images of a few sizes, with boxes.
class Boxed : public testing_data::CountingSource {
 public:
  Boxed() : CountingSource(100'000) {}
  std::vector<KeySpec> keys() const override {
    return {{"image",
             {.dtype = DType::kUint8, .shape = {kAnyLength, kAnyLength, 3}, .role = Role::kImage}},
            {"boxes", {.shape = {kAnyLength, 4}, .role = Role::kBoxes}}};
  }
  int64_t size() const override { return 100'000; }
  void read(int64_t index, std::span<const Cell> cells) const override {
    const auto image = cells[0].take({20 + index % 4, 30 - index % 3, 3}).as<uint8_t>();
    std::fill(image.begin(), image.end(), static_cast<uint8_t>(index));
    const auto boxes = cells[1].take({index % 3, 4}).as<float>();
    for (size_t i = 0; i < boxes.size(); ++i) boxes[i] = i % 4 < 2 ? 2.0F : 15.0F;
  }
  std::string fingerprint() const override { return "boxed"; }
};

TEST(Loader, AllocatesNothingForOpsThatMovePointsOnceItRuns) {
  const std::vector<std::string> keys = {"image", "boxes"};
  const auto rotate = sample_ops::rotate({.keys = keys, .degrees = {45}});
  const auto flip = sample_ops::flip({.keys = keys});
  Ops ops;
  for (const Choice<SampleOp>& choice :
       {sample_ops::sometimes({.of = {sample_ops::one_of({.of = {rotate, flip}}), flip}}),
        sample_ops::some_of(
            {.of = {rotate, sample_ops::perspective({.keys = keys}), flip}, .count = {0, 3}}),
        sample_ops::repeat({.of = {flip, rotate}}),
        sample_ops::random_resized_crop({.keys = keys, .size = {24}}),
        sample_ops::elastic({.keys = keys, .sigma = 2})})
    ops.push_back(registry<SampleOp>().make(choice));
  const Chain chain(std::make_shared<Boxed>(), ops, {"image"});
  Loader loader(100'000, {.batch_size = 8, .depth = 2}, chain.every_epoch());
  for (int i = 0; i < 100; ++i) (void)loader.next();
  const int64_t before = allocation_count;
  for (int i = 0; i < 50; ++i) (void)loader.next();
  EXPECT_LE(allocation_count - before, 8);
}

}  // namespace
}  // namespace hearth
