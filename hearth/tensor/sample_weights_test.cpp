// Weights of samples and of places beside what they are for.
#include "hearth/tensor/sample_weights.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"

namespace hearth {
namespace {

bool fits(const std::vector<int64_t>& weights, const std::vector<int64_t>& values) {
  return is_spread_over(weights, values);
}

TEST(SampleWeights, AreForSamplesPlacesOrAllButChannels) {
  EXPECT_TRUE(fits({}, {3, 4}));
  EXPECT_TRUE(fits({1}, {3, 4}));
  EXPECT_TRUE(fits({3}, {3, 4}));
  EXPECT_TRUE(fits({4, 5}, {3, 4, 5}));
  EXPECT_TRUE(fits({kAnyLength}, {7}));
  EXPECT_FALSE(fits({4}, {3}));
  EXPECT_FALSE(fits({3, 4}, {3}));
}

TEST(SampleWeights, SayWhatTheyNeed) {
  EXPECT_EQ(
      message_of<GraphError>([] {
        check_weight({"importance", {.shape = {2}}}, "weight", std::vector<int64_t>{3}, "value");
      }),
      "weight needs a number for each sample, [B], or for each value, float32 [B, 3], but "
      "'importance' is float32 [B, 2]. Name such a key.");
  EXPECT_EQ(
      message_of<GraphError>([] {
        check_mask({"shown", {}}, std::vector<int64_t>(), "value");
      }),
      "mask needs yes or no, bool or whole numbers, but 'shown' is float32 [B]. Use weight for "
      "numbers between.");
}

}  // namespace
}  // namespace hearth
