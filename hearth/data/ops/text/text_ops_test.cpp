#include <gtest/gtest.h>

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/data/op_runner_test.h"
#include "hearth/data/ops/text/mask_tokens.h"
#include "hearth/data/ops/text/shift.h"
#include "hearth/data/ops/text/tokenize.h"
#include "hearth/data/ops/text/truncate.h"
#include "hearth/data/tokenizers/words.h"

namespace hearth {
namespace {

using Tokens = std::vector<int64_t>;

Spec text_spec(std::vector<std::string> vocabulary = {}) {
  Spec spec{.dtype = DType::kUint8, .shape = {kAnyLength}};
  spec.class_names = std::move(vocabulary);
  spec.role = Role::kText;
  return spec;
}

Spec token_spec(int64_t classes, std::vector<std::string> names = {}) {
  Spec spec{.dtype = DType::kInt64, .shape = {kAnyLength}, .classes = classes};
  spec.class_names = std::move(names);
  spec.role = Role::kTokens;
  return spec;
}

std::vector<char> letters(const std::string& text) { return {text.begin(), text.end()}; }

std::string graph_fault(const Choice<SampleOp>& choice, const Spec& spec) {
  return message_of<GraphError>([&] { const OpRunner runner(choice, {spec}); });
}

TEST(Tokenize, TakesTheVocabularyThatComesWithTheText) {
  OpRunner op(sample_ops::tokenize({.tokens = tokenizers::words(), .first = 2}),
              {text_spec({"<unk>", "cat", "dog"})});
  EXPECT_EQ(op.values<int64_t>(letters("dog cat bird")), (Tokens{4, 3, 2}));
  EXPECT_EQ(op.specs[0].text(), "int64 [B, ?], 5 classes");
  EXPECT_EQ(op.specs[0].class_names,
            (std::vector<std::string>{"<0>", "<1>", "<unk>", "cat", "dog"}));
  EXPECT_EQ(op.values<int64_t>(letters("  ")), Tokens{});
}

TEST(Tokenize, PutsTokensOfTheirOwnBeforeAndBehindATextAlsoAnEmptyOne) {
  OpRunner op(
      sample_ops::tokenize({.tokens = tokenizers::words(), .first = 3, .begin = 1, .end = 2}),
      {text_spec({"<unk>", "cat", "dog"})});
  EXPECT_EQ(op.values<int64_t>(letters("dog cat")), (Tokens{1, 5, 4, 2}));
  EXPECT_EQ(op.values<int64_t>(letters("")), (Tokens{1, 2}));
  EXPECT_EQ(op.specs[0].class_names,
            (std::vector<std::string>{"<0>", "<begin>", "<end>", "<unk>", "cat", "dog"}));
}

TEST(Tokenize, RefusesSeveralVocabulariesAndWhatIsNoText) {
  const auto choice = sample_ops::tokenize({.tokens = tokenizers::words()});
  const OpRunner op(choice, {text_spec({"<unk>", "a"})});
  EXPECT_NE(message_of<GraphError>([&] {
              (void)op.op->infer({text_spec({"<unk>", "b"})});
            }).find("several vocabularies"),
            std::string::npos);
  EXPECT_EQ(graph_fault(choice, token_spec(3)),
            "tokenize: key 'text' must hold text, but is int64 [B, ?], 3 classes and tokens.");
}

TEST(Truncate, KeepsTheStartTheEndOrAnyPart) {
  const Tokens tokens = {1, 2, 3, 4, 5};
  const auto cut = [&](int64_t length, const std::string& keep) {
    OpRunner op(sample_ops::truncate({.length = length, .keep = keep}), {token_spec(9)});
    return op.values<int64_t>(tokens);
  };
  EXPECT_EQ(cut(2, "start"), (Tokens{1, 2}));
  EXPECT_EQ(cut(2, "end"), (Tokens{4, 5}));
  EXPECT_EQ(cut(7, "end"), tokens);
  const Tokens any = cut(3, "random");
  EXPECT_EQ(any[2], any[0] + 2);
}

TEST(Truncate, KnowsTheLengthOfWhatHasOne) {
  Spec spec = token_spec(9);
  spec.shape = {5};
  OpRunner op(sample_ops::truncate({.length = 3}), {spec});
  EXPECT_EQ(op.specs[0].shape, std::vector<int64_t>{3});
  EXPECT_EQ(op.values<int64_t>(Tokens{1, 2, 3, 4, 5}), (Tokens{1, 2, 3}));
  EXPECT_NE(graph_fault(sample_ops::truncate({.length = 3}), text_spec()), "no fault");
}

TEST(Shift, PairsTokensWithTheNext) {
  OpRunner op(sample_ops::shift(), {token_spec(9)});
  const auto made = op.run(Tokens{1, 2, 3});
  EXPECT_EQ(made[0].as<int64_t>()[1], 2);
  EXPECT_EQ(made[1].as<int64_t>()[1], 3);
  EXPECT_EQ(made[1].as<int64_t>().size(), 2U);
  EXPECT_EQ(op.specs[1].role, Role::kClass);
  EXPECT_NE(message_of<DataError>([&] { (void)op.run(Tokens{1}); }), "no fault");
}

TEST(MaskTokens, HidesTheShareThatWasAskedForAsBertDoes) {
  OpRunner op(sample_ops::mask_tokens({.share = 0.5}), {token_spec(1000)});
  const Tokens tokens(20'000, 500);
  const auto made = op.run(tokens);
  const auto hidden = made[0].as<int64_t>();
  const auto targets = made[1].as<int64_t>();
  double chosen = 0;
  double masked = 0;
  double other = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    ASSERT_TRUE(targets[i] == 500 || (targets[i] == -100 && hidden[i] == 500));
    chosen += targets[i] == 500;
    masked += hidden[i] == 1;
    other += hidden[i] != 1 && hidden[i] != 500;
    ASSERT_GE(hidden[i], 1);
  }
  EXPECT_NEAR(chosen / 20'000, 0.5, 0.02);
  EXPECT_NEAR(masked / chosen, 0.8, 0.02);
  EXPECT_NEAR(other / chosen, 0.1, 0.02);
}

TEST(MaskTokens, LeavesPaddingAloneAndHidesOneAtLeast) {
  OpRunner op(sample_ops::mask_tokens({.share = 1e-6}), {token_spec(1000)});
  const auto targets = op.run(Tokens{0, 0, 7, 0})[1].as<int64_t>();
  EXPECT_EQ(Tokens(targets.begin(), targets.end()), (Tokens{-100, -100, 7, -100}));
  EXPECT_EQ(op.values<int64_t>(Tokens{0, 0}), (Tokens{0, 0}));
  EXPECT_EQ(op.values<int64_t>(Tokens{}), Tokens{});
}

TEST(MaskTokens, ChoosesWholeWords) {
  const std::vector<std::string> names = {"<0>", "<1>", "un", " like", "ly", " dog"};
  OpRunner op(sample_ops::mask_tokens({.share = 0.5, .whole_words = true}), {token_spec(6, names)});
  bool was_parted = false;
  for (uint64_t sample = 0; sample < 50; ++sample) {
    const auto targets = op.run(Tokens{2, 4, 3, 4, 4, 5, 0}, {.sample = sample})[1].as<int64_t>();
    EXPECT_EQ(targets[0] == -100, targets[1] == -100);
    EXPECT_EQ(targets[2] == -100, targets[4] == -100);
    was_parted |= (targets[0] == -100) != (targets[2] == -100);
    EXPECT_EQ(targets[6], -100);
  }
  EXPECT_TRUE(was_parted);
}

TEST(MaskTokens, NeedsRoomForTheMask) {
  EXPECT_EQ(graph_fault(sample_ops::mask_tokens({.mask = 9}), token_spec(9)),
            "mask_tokens: key 'tokens' has 9 tokens, but first is 2 and mask 9. Both must be "
            "below.");
  EXPECT_NE(graph_fault(sample_ops::mask_tokens({.whole_words = true}), token_spec(9)), "no fault");
}

}  // namespace
}  // namespace hearth
