// Tests of text for people.
#include "hearth/base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace hearth {

TEST(Nearest, FindsOneTypoOfEveryKind) {
  const std::vector<std::string> names = {"momentum", "weight_decay", "betas"};
  EXPECT_EQ(nearest("momentun", names), "momentum");
  EXPECT_EQ(nearest("momenum", names), "momentum");
  EXPECT_EQ(nearest("mommentum", names), "momentum");
  EXPECT_EQ(nearest("weight_deacy", names), "weight_decay");
}

TEST(Nearest, CountsASwapAsOneEdit) {
  EXPECT_EQ(nearest("rl", {"lr"}), "lr");
  EXPECT_EQ(nearest("adma", {"adam"}), "adam");
}

TEST(Nearest, OffersNothingThatIsFar) {
  EXPECT_EQ(nearest("epochs", {"batch_size", "model"}), std::nullopt);
  EXPECT_EQ(nearest("sgd", {"adam", "lion"}), std::nullopt);
  EXPECT_EQ(nearest("x", {"y"}), std::nullopt);
  EXPECT_EQ(nearest("", {"y"}), std::nullopt);
  EXPECT_EQ(nearest("adam", {}), std::nullopt);
}

TEST(Nearest, AllowsAThirdOfTheNameToDiffer) {
  EXPECT_EQ(nearest("abcdef", {"abcdxy"}), "abcdxy");
  EXPECT_EQ(nearest("abcdef", {"abcxyz"}), std::nullopt);
}

TEST(Nearest, IgnoresCaseButPrefersTheSameCaseOnATie) {
  EXPECT_EQ(nearest("ADAMW", {"sgd", "adamw"}), "adamw");
  EXPECT_EQ(nearest("Image", {"image", "IMAGE"}), "image");
  EXPECT_EQ(nearest("IMAGe", {"image", "IMAGE"}), "IMAGE");
}

TEST(DidYouMean, SuggestsOrLists) {
  EXPECT_EQ(did_you_mean("adm", {"adam", "sgd"}), " Did you mean 'adam'?");
  EXPECT_EQ(did_you_mean("lion", {"adam", "sgd"}), " Known: adam, sgd.");
  EXPECT_EQ(did_you_mean("lion", {}), "");
}

TEST(DidYouMean, CutsAListThatNobodyWouldRead) {
  EXPECT_THAT(did_you_mean("lion", std::vector<std::string>(42, "adam")),
              testing::EndsWith("adam, adam and 2 more."));
  EXPECT_THAT(did_you_mean("lion", std::vector<std::string>(40, "adam")),
              testing::EndsWith("adam, adam."));
}

TEST(Text, JoinAndSplitAreInverse) {
  EXPECT_EQ(join({}, ", "), "");
  EXPECT_EQ(join({"a"}, ", "), "a");
  EXPECT_EQ(join({"a", "", "c"}, ", "), "a, , c");
  EXPECT_EQ(split("a,,c", ','), (std::vector<std::string>{"a", "", "c"}));
  EXPECT_EQ(split(",", ','), (std::vector<std::string>{"", ""}));
  EXPECT_EQ(split("", ','), std::vector<std::string>{""});
}

TEST(Text, TrimTakesSpaceFromBothEnds) {
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim("a"), "a");
  EXPECT_EQ(trim("  \n"), "");
  EXPECT_EQ(trim(""), "");
}

TEST(Text, QuoteEscapesControlBytesOnly) {
  EXPECT_EQ(quote("plain \xc3\xa9"), "'plain \xc3\xa9'");
  EXPECT_EQ(quote("a\nb\tc\rd"), "'a\\nb\\tc\\rd'");
  EXPECT_EQ(quote(std::string_view("\0\x1b\x7f", 3)), "'\\x00\\x1b\\x7f'");
}

TEST(HumanBytes, ChoosesTheUnit) {
  EXPECT_EQ(human_bytes(0), "0 B");
  EXPECT_EQ(human_bytes(1023), "1023 B");
  EXPECT_EQ(human_bytes(1024), "1.0 KiB");
  EXPECT_EQ(human_bytes(1572864), "1.5 MiB");
  EXPECT_EQ(human_bytes(1048575), "1.0 MiB");
  EXPECT_EQ(human_bytes(std::numeric_limits<uint64_t>::max()), "16.0 EiB");
}

TEST(HumanCount, GroupsThousands) {
  EXPECT_EQ(human_count(0), "0");
  EXPECT_EQ(human_count(999), "999");
  EXPECT_EQ(human_count(1000), "1,000");
  EXPECT_EQ(human_count(1234567), "1,234,567");
}

TEST(HumanSeconds, ChoosesTheUnitWithoutEverShowingSixty) {
  EXPECT_EQ(human_seconds(0), "0.0s");
  EXPECT_EQ(human_seconds(3.21), "3.2s");
  EXPECT_EQ(human_seconds(59.97), "1m 00s");
  EXPECT_EQ(human_seconds(245), "4m 05s");
  EXPECT_EQ(human_seconds(3599.6), "1h 00m");
  EXPECT_EQ(human_seconds(7800), "2h 10m");
  EXPECT_EQ(human_seconds(-2), "-2.0s");
  EXPECT_EQ(human_seconds(std::numeric_limits<double>::infinity()), "forever");
}

TEST(ShortestNumber, ReadsBackTheSameBits) {
  EXPECT_EQ(shortest_number(0.1), "0.1");
  EXPECT_EQ(shortest_number(3), "3");
  EXPECT_EQ(shortest_number(-0.0), "-0");
  for (const double value : {0.1, 1.0 / 3, 1e300, 5e-324, 123456789.125, -1e-7})
    EXPECT_EQ(read_number(shortest_number(value)), value);
  EXPECT_EQ(read_number(shortest_number(-INFINITY)), -INFINITY);
  EXPECT_TRUE(std::isnan(read_number(shortest_number(NAN)).value()));
}

TEST(ReadInteger, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(read_integer("42"), 42);
  EXPECT_EQ(read_integer("+42"), 42);
  EXPECT_EQ(read_integer("-9223372036854775808"), std::numeric_limits<int64_t>::min());
  for (const char* wrong :
       {"", "+", "-", "+-1", "++1", " 1", "1 ", "1.0", "1e3", "0x10", "one", "9223372036854775808"})
    EXPECT_EQ(read_integer(wrong), std::nullopt) << wrong;
}

TEST(ReadNumber, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(read_number("1e-3"), 0.001);
  EXPECT_EQ(read_number("+.5"), 0.5);
  EXPECT_EQ(read_number("-2"), -2.0);
  for (const char* wrong : {"", "+", ".", "1e", "1,5", " 1", "0x10", "1e999", "nan(1)", "1f"})
    EXPECT_EQ(read_number(wrong), std::nullopt) << wrong;
}

TEST(ShellWord, QuotesWhatAShellWouldTakeApart) {
  EXPECT_EQ(shell_word("train.epochs=3"), "train.epochs=3");
  EXPECT_EQ(shell_word("train.traces+={a: [1]}"), "'train.traces+={a: [1]}'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace hearth
