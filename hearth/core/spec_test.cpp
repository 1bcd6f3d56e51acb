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
  EXPECT_THROW((void)huge.elements(), GraphError);
  EXPECT_THROW((void)(Spec{.shape = {int64_t{1} << 62}}.bytes()), GraphError);
  EXPECT_THROW((void)(Spec{.shape = {-1}}.elements()), GraphError);
}

TEST(Spec, ComesBackEqualFromJson) {
  Spec spec{.dtype = DType::kUint8, .shape = {3, 4}, .is_per_batch = true, .classes = 2};
  spec.class_names = {"cat", "dog"};
  spec.image_range = {0.0, 1.0};
  spec.background = {0.0, 0.5, 1.0};
  EXPECT_EQ(Spec::from_json(spec.to_json()), spec);
  EXPECT_EQ(Spec::from_json(image_spec().to_json()), image_spec());
  EXPECT_EQ(image_spec().to_json().dump(), R"({"dtype":"float32","shape":[1,8,8]})");
}

TEST(Spec, HasNoSizeWhereALengthDiffersFromSampleToSample) {
  const Spec image{.dtype = DType::kUint8, .shape = {kAnyLength, kAnyLength, 3}};
  EXPECT_EQ(image.text(), "uint8 [B, ?, ?, 3]");
  EXPECT_TRUE(image.is_ragged());
  EXPECT_FALSE(image_spec().is_ragged());
  EXPECT_THROW((void)image.elements(), GraphError);
  EXPECT_EQ(Spec::from_json(image.to_json()), image);
}

TEST(Spec, RolesComeBackFromJson) {
  for (const auto role :
       {Role::kPlain, Role::kImage, Role::kMask, Role::kBoxes, Role::kPoints, Role::kTokens,
        Role::kText, Role::kEncodedImage, Role::kSound, Role::kClass}) {
    EXPECT_EQ(role_from(name(role)), role);
    const Spec spec{.shape = {8, 8, 1}, .classes = 3, .role = role};
    EXPECT_EQ(Spec::from_json(spec.to_json()), spec);
  }
  EXPECT_EQ(role_from("picture"), std::nullopt);
  EXPECT_THROW((void)Spec::from_json({{"dtype", "uint8"}, {"shape", {1}}, {"role", "picture"}}),
               DataError);
}

// Files of earlier versions: images had a range and their channels first, labels had classes.
TEST(Spec, TellsTheRoleOfKeysInFilesThatHaveNone) {
  const Spec image = Spec::from_json(
      Json::parse(R"({"dtype": "float32", "shape": [3, 8, 9], "image_range": [0.0, 1.0]})"));
  EXPECT_EQ(image.role, Role::kImage);
  EXPECT_EQ(image.shape, (std::vector<int64_t>{8, 9, 3}));
  const Spec label =
      Spec::from_json(Json::parse(R"({"dtype": "int64", "shape": [], "classes": 3})"));
  EXPECT_EQ(label.role, Role::kClass);
  EXPECT_EQ(Spec::from_json(image_spec().to_json()).role, Role::kPlain);
}

TEST(Spec, ImagesHaveTheirChannelsFirstInTheNetwork) {
  const Spec image{.shape = {8, 9, 3}, .role = Role::kImage};
  EXPECT_EQ(in_network(image).text(), "float32 [B, 3, 8, 9]");
  EXPECT_EQ(in_network(image_spec()), image_spec());
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
