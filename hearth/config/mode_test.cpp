// Modes by name.
#include "hearth/config/mode.h"

#include <gtest/gtest.h>

namespace hearth {
namespace {

TEST(Mode, ReadsBackFromItsName) {
  for (Mode mode : kAllModes) EXPECT_EQ(mode_from(name(mode)), mode);
  EXPECT_EQ(mode_from("Train"), std::nullopt);
  EXPECT_EQ(mode_from(""), std::nullopt);
}

TEST(Modes, ReadAWordAndItsNegation) {
  EXPECT_EQ(Modes::from("eval"), Modes(Mode::kEval));
  EXPECT_EQ(Modes::from("!infer"), (Modes{Mode::kTrain, Mode::kEval, Mode::kTest}));
}

TEST(Modes, RefuseUnknownWords) {
  for (const char* word : {"", "!", "trian", "!!train", "train "})
    EXPECT_EQ(Modes::from(word), std::nullopt) << word;
}

TEST(Modes, ListTheirNamesInOrder) {
  EXPECT_EQ((Modes{Mode::kInfer, Mode::kTrain}).names(),
            (std::vector<std::string>{"train", "infer"}));
  EXPECT_TRUE(Modes().names().empty());
}

}  // namespace
}  // namespace hearth
