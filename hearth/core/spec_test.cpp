#include "hearth/core/spec.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"

namespace hearth {
namespace {

Spec image_spec() { return {.dtype = DType::kFloat32, .shape = {1, 8, 8}}; }

TEST(Spec, ReadsAsDtypeShapeAndClasses) {
  EXPECT_EQ(image_spec().text(), "float32 [B, 1, 8, 8]");
  EXPECT_EQ((Spec{.dtype = DType::kInt64, .classes = 10}.text()), "int64 [B], 10 classes");
  EXPECT_EQ((Spec{.dtype = DType::kFloat32, .is_per_batch = true}.text()), "float32 []");
  EXPECT_EQ((Spec{.shape = {1}, .classes = 1}.text()), "float32 [B, 1], 1 class");
}

TEST(Spec, CountsElementsAndBytesOfOneSample) {
  EXPECT_EQ(image_spec().elements(), 64);
  EXPECT_EQ(image_spec().bytes(), 256);
  EXPECT_EQ((Spec{.dtype = DType::kInt64}.bytes()), 8);
  EXPECT_EQ((Spec{.shape = {3, 0}}.elements()), 0);
}

TEST(Spec, RefusesSizesBeyond64Bits) {
  const Spec huge{.shape = {int64_t{1} << 40, int64_t{1} << 40}};
  EXPECT_THROW((void)huge.elements(), InternalError);
  EXPECT_THROW((void)(Spec{.shape = {int64_t{1} << 62}}.bytes()), InternalError);
  EXPECT_THROW((void)(Spec{.shape = {-1}}.elements()), InternalError);
}

TEST(Spec, ComesBackEqualFromJson) {
  Spec spec{.dtype = DType::kUint8, .shape = {3, 4}, .is_per_batch = true, .classes = 2};
  spec.class_names = {"cat", "dog"};
  spec.image_range = {0.0, 1.0};
  EXPECT_EQ(Spec::from_json(spec.to_json()), spec);
  EXPECT_EQ(Spec::from_json(image_spec().to_json()), image_spec());
  EXPECT_EQ(image_spec().to_json().dump(), R"({"dtype":"float32","shape":[1,8,8]})");
}

TEST(Spec, SaysWhatIsWrongInJson) {
  EXPECT_THROW((void)Spec::from_json(Json::array()), DataError);
  EXPECT_THROW((void)Spec::from_json({{"dtype", "float32"}, {"shape", "big"}}), DataError);
  try {
    (void)Spec::from_json({{"dtype", "float31"}, {"shape", {1}}});
    FAIL();
  } catch (const DataError& error) {
    EXPECT_STREQ(error.what(), "spec: unknown dtype 'float31'.");
  }
}

TEST(DType, EveryNameReadsBack) {
  for (const auto dtype : {DType::kBool, DType::kUint8, DType::kInt32, DType::kInt64,
                           DType::kFloat16, DType::kBFloat16, DType::kFloat32, DType::kFloat64})
    EXPECT_EQ(dtype_from(name(dtype)), dtype);
  EXPECT_EQ(dtype_from("long"), std::nullopt);
  EXPECT_EQ(size_of(DType::kBFloat16), 2);
}

}  // namespace
}  // namespace hearth
