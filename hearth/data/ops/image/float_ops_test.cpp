// Ops that make floats: to_float and min_max.
#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/data/ops/image/min_max.h"
#include "hearth/data/ops/image/to_float.h"

namespace hearth {
namespace {

using Floats = std::vector<float>;

std::unique_ptr<SampleOp> make(const Choice<SampleOp>& choice) {
  return registry<SampleOp>().make(choice);
}

Spec spec_of(DType dtype, Role role = Role::kImage) {
  return {.dtype = dtype, .shape = {1, 3, 1}, .role = role};
}

template <class T>
Floats floats_of(const SampleOp& op, std::vector<T> values, const Spec& spec) {
  const Spec made = op.infer({spec})[0];
  Floats result(values.size());
  Random random({});
  const View in{reinterpret_cast<std::byte*>(values.data()), &spec, spec.shape};
  const Cell out(reinterpret_cast<std::byte*>(result.data()), made);
  op.run(random, {&in, 1}, {&out, 1});
  return result;
}

TEST(ToFloat, TakesImagesFromBlackToWhite) {
  const auto op = make(sample_ops::to_float());
  EXPECT_EQ(floats_of<uint8_t>(*op, {0, 51, 255}, spec_of(DType::kUint8)),
            (Floats{0, 51.0F / 255.0F, 1}));
  Spec digits = spec_of(DType::kUint8);
  digits.image_range = {0.0, 16.0};
  digits.background = {8};
  EXPECT_EQ(floats_of<uint8_t>(*op, {0, 4, 16}, digits), (Floats{0, 0.25, 1}));
  EXPECT_EQ(op->infer({digits})[0].image_range, (std::pair{0.0, 1.0}));
  EXPECT_EQ(op->infer({digits})[0].background, (std::vector<double>{0.5}));
}

TEST(ToFloat, LeavesOtherNumbersTheirValue) {
  const auto op = make(sample_ops::to_float());
  EXPECT_EQ(floats_of<uint8_t>(*op, {0, 51, 255}, spec_of(DType::kUint8, Role::kPlain)),
            (Floats{0, 51, 255}));
  EXPECT_EQ(floats_of<int64_t>(*op, {-3, 0, 7}, spec_of(DType::kInt64, Role::kMask)),
            (Floats{-3, 0, 7}));
  EXPECT_EQ(floats_of<float>(*op, {-3, 0.5, 7}, spec_of(DType::kFloat32)), (Floats{-3, 0.5, 7}));
}

TEST(ToFloat, SaysWhatItCannotTurn) {
  const auto op = make(sample_ops::to_float());
  EXPECT_EQ(message_of<GraphError>(
                [&] { (void)op->infer({spec_of(DType::kUint8, Role::kEncodedImage)}); }),
            "to_float: key 'image' must hold bytes, whole numbers or float32, but is uint8 [B, 1, "
            "3, 1] and encoded_image. Put decode before it.");
}

TEST(MinMax, StretchesFromTheLeastToTheGreatest) {
  const auto op = make(sample_ops::min_max({.low = -1, .high = 1}));
  EXPECT_EQ(floats_of<uint8_t>(*op, {10, 20, 30}, spec_of(DType::kUint8)), (Floats{-1, 0, 1}));
  EXPECT_EQ(floats_of<float>(*op, {-4, 0, 4}, spec_of(DType::kFloat32)), (Floats{-1, 0, 1}));
  EXPECT_EQ(floats_of<float>(*op, {7, 7, 7}, spec_of(DType::kFloat32)), (Floats{-1, -1, -1}));
  EXPECT_THROW((void)make(sample_ops::min_max({.low = 1, .high = 1})), ConfigError);
}

}  // namespace
}  // namespace hearth
