#include "hearth/base/other_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/base/text.h"

namespace hearth {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(OtherWords, KnowsWhatHearthCallsIt) {
  EXPECT_THAT(hearth_words_for("learning_rate"), ElementsAre("lr"));
  EXPECT_THAT(hearth_words_for("--learning-rate"), ElementsAre("lr", "learning_rate"));
  EXPECT_THAT(hearth_words_for("dropout_rate"), ElementsAre("dropout", "p"));
  EXPECT_THAT(hearth_words_for("torch.optim.SGD"), ElementsAre("sgd"));
  EXPECT_THAT(hearth_words_for("lr"), IsEmpty());
}

TEST(OtherWords, AreWhatNearestTriesFirst) {
  EXPECT_EQ(nearest("validation", {"train", "eval"}), "eval");
  EXPECT_EQ(nearest("acc", {"loss", "accuracy"}), "accuracy");
  EXPECT_EQ(nearest("dropout_rate", {"hidden", "p"}), "p");
  EXPECT_EQ(nearest("val", {"loss"}), std::nullopt);
}

}  // namespace
}  // namespace hearth
