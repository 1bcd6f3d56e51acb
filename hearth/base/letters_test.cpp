// Tests of characters.
#include "hearth/base/letters.h"

#include <gtest/gtest.h>

namespace hearth {
namespace {

TEST(Visible, LeavesTextOfAnyLanguageAsItIs) {
  for (const char* text : {"", "plain, two\nlines\tand a tab", "Größe 猫 😀"})
    EXPECT_EQ(visible(text), text);
}

TEST(Visible, ShowsWhatATerminalWouldObey) {
  EXPECT_EQ(visible("\x1b[2J\x1b]0;title\x07"), "\\x1b[2J\\x1b]0;title\\x07");
  EXPECT_EQ(visible("a\rb\x7f\b"), "a\\rb\\x7f\\x08");
  EXPECT_EQ(visible(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(visible("\xc2\x9b"
                    "31m"),
            "\\x9b31m");  // CSI as one character of UTF-8
  EXPECT_EQ(visible("\xe2\x80\xae"
                    "txt.exe"),
            "\\u{202e}txt.exe");
}

TEST(Visible, ShowsBytesThatAreNotUtf8) {
  EXPECT_EQ(visible("\x9b"
                    "31m \xff"),
            "\\x9b31m \\xff");
  EXPECT_EQ(visible("\xc0\x9b"), "\\xc0\\x9b");                    // an overlong form
  EXPECT_EQ(visible("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // half a pair
  EXPECT_EQ(visible("a\xe2\x80"), "a\\xe2\\x80");                  // cut off
  EXPECT_EQ(visible("\xf7\xbf\xbf\xbf"), "\\xf7\\xbf\\xbf\\xbf");  // beyond the last one
}

TEST(Visible, NeverLeavesAControlByte) {
  for (int first = 0; first < 256; ++first)
    for (int second = 0; second < 256; ++second) {
      const char bytes[] = {static_cast<char>(first), static_cast<char>(second)};
      for (const char letter : visible({bytes, 2}))
        EXPECT_TRUE(static_cast<unsigned char>(letter) >= 0x20 || letter == '\n' || letter == '\t')
            << first << " " << second;
    }
}

TEST(Letters, AreCountedCutAndPaddedWhole) {
  EXPECT_EQ(letter_count("größe"), 5U);
  EXPECT_EQ(first_letters("größe", 3), "grö");
  EXPECT_EQ(first_letters("ab", 3), "ab");
  EXPECT_EQ(padded("ö", 3), "ö  ");
  EXPECT_EQ(padded("abc", 2), "abc");
}

TEST(Letters, FoldALineWithItsBlanks) {
  EXPECT_EQ(folded("  * a  bb ccc dddd", 12),
            (std::vector<std::string>{"  * a  bb", "    ccc dddd"}));
  EXPECT_EQ(folded("  abcdefghijklmnop q", 8), (std::vector<std::string>{"  abcdefghijklmnop q"}));
  EXPECT_EQ(folded("short", 8), std::vector<std::string>{"short"});
  EXPECT_EQ(folded("", 8), std::vector<std::string>{""});
}

TEST(Letters, WrapBetweenWordsAndKeepALongWordWhole) {
  EXPECT_EQ(wrapped("a abcdefgh b", 4), (std::vector<std::string>{"a", "abcdefgh", "b"}));
  EXPECT_EQ(wrapped("a model.layer.x: b", 7),
            (std::vector<std::string>{"a", "model.", "layer.", "x: b"}));
  EXPECT_EQ(wrapped("öö öö", 5), std::vector<std::string>{"öö öö"});
  EXPECT_EQ(wrapped("", 5), std::vector<std::string>{""});
}

}  // namespace
}  // namespace hearth
