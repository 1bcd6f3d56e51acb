// Which scores and labels fit together, and what is said of those that do not.
#include "hearth/tensor/class_scores.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"

namespace hearth {
namespace {

Spec spec(DType dtype, std::vector<int64_t> shape, int64_t classes = 0) {
  Spec spec;
  spec.dtype = dtype;
  spec.shape = std::move(shape);
  spec.classes = classes;
  return spec;
}

std::string fault_of(const Spec& scores, const Spec& labels) {
  try {
    check_class_scores({"logits", scores}, {"label", labels});
  } catch (const GraphError& error) {
    return error.what();
  }
  return "no fault";
}

TEST(ClassScores, AcceptsLabelsWithAndWithoutAKnownNumberOfClasses) {
  EXPECT_EQ(fault_of(spec(DType::kFloat32, {10}), spec(DType::kInt64, {}, 10)), "no fault");
  EXPECT_EQ(fault_of(spec(DType::kFloat32, {10, 8, 8}), spec(DType::kInt64, {8, 8})), "no fault");
}

TEST(ClassScores, RefusesAnotherNumberOfClasses) {
  EXPECT_EQ(fault_of(spec(DType::kFloat32, {12}), spec(DType::kInt64, {}, 10)),
            "'logits' scores 12 classes, but 'label' has 10. Give the last layer as many values, "
            "or leave its number out to take it from the data.");
}

TEST(ClassScores, RefusesScoresThatAreNotFloat) {
  EXPECT_EQ(fault_of(spec(DType::kUint8, {10}), spec(DType::kInt64, {})),
            "needs a score for each class, float [B, classes], in 'logits', but it is uint8 "
            "[B, 10]. Name the key a model call writes.");
}

TEST(ClassScores, RefusesLabelsThatAreNotClassNumbers) {
  EXPECT_EQ(fault_of(spec(DType::kFloat32, {10}), spec(DType::kFloat32, {10})),
            "needs class numbers, int64 [B], or a share for each class, float [B, classes], in "
            "'label', but it is float32 [B, 10]. Name the key that holds the data's labels.");
}

TEST(ClassScores, TakesASharePerClassWhereTheDataSaysThatItIsOne) {
  Spec soft = spec(DType::kFloat32, {10}, 10);
  soft.role = Role::kClass;
  EXPECT_EQ(fault_of(spec(DType::kFloat32, {10}), soft), "no fault");
  EXPECT_EQ(fault_of(spec(DType::kFloat32, {12}), soft),
            "needs one label for each row of scores, but 'logits' is float32 [B, 12] and 'label' "
            "is float32 [B, 10], 10 classes. Flatten what goes into the last layer, or use other "
            "keys.");
}

TEST(ClassScores, RefusesScoresWithMoreDimensionsThanLabels) {
  EXPECT_EQ(fault_of(spec(DType::kFloat32, {10, 4}), spec(DType::kInt64, {})),
            "needs one label for each row of scores, but 'logits' is float32 [B, 10, 4] and "
            "'label' is int64 [B]. Flatten what goes into the last layer, or use other keys.");
}

}  // namespace
}  // namespace hearth
