#include "hearth/data/ops/image/jpeg_artifacts.h"

#include <cstdlib>
#include <set>

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"

namespace hearth {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes changed(const sample_ops::JpegArtifactsOptions& options, Bytes bytes,
              const std::vector<int64_t>& shape, uint64_t sample = 0) {
  const auto op = registry<SampleOp>().make(sample_ops::jpeg_artifacts(options));
  const Spec spec{.dtype = DType::kUint8, .shape = shape, .role = Role::kImage};
  EXPECT_EQ(op->infer({spec}), std::vector{spec});
  Random random({.sample = sample});
  const View in{reinterpret_cast<std::byte*>(bytes.data()), &spec, spec.shape};
  const Cell out(in.data, spec);
  op->run(random, {&in, 1}, {&out, 1});
  return bytes;
}

// Stripes of two pixels.
Bytes stripes(size_t count) {
  Bytes bytes(count);
  for (size_t i = 0; i < count; ++i) bytes[i] = i / 6 % 2 == 0 ? 60 : 200;
  return bytes;
}

int difference(const Bytes& left, const Bytes& right) {
  int sum = 0;
  for (size_t i = 0; i < left.size(); ++i) sum += std::abs(left[i] - right[i]);
  return sum;
}

TEST(JpegArtifacts, LeavesLessOfAnImageTheLowerTheQuality) {
  const std::vector<int64_t> shape = {10, 18, 3};
  const Bytes before = stripes(540);
  const auto loss = [&](int64_t quality) {
    return difference(changed({.probability = 1, .quality = {quality}}, before, shape), before);
  };
  EXPECT_LT(loss(100), 540 * 3);
  EXPECT_GT(loss(10), 3 * loss(100));
}

TEST(JpegArtifacts, DrawsAQualityForEachImage) {
  std::set<Bytes> results;
  for (uint64_t sample = 0; sample < 50; ++sample)
    results.insert(
        changed({.probability = 1, .quality = {5, 60}}, stripes(96), {8, 12, 1}, sample));
  EXPECT_GT(results.size(), 5U);
}

TEST(JpegArtifacts, TakesEmptyAndSingleGrayPixels) {
  EXPECT_TRUE(changed({.probability = 1}, {}, {0, 3, 3}).empty());
  EXPECT_NEAR(changed({.probability = 1, .quality = {100}}, {77}, {1, 1, 1})[0], 77, 2);
  EXPECT_THROW((void)changed({.quality = {60, 50}}, {1}, {1, 1, 1}), ConfigError);
}

}  // namespace
}  // namespace hearth
