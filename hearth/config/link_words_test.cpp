// What people say of a network.
#include "hearth/config/link_words.h"

#include <gtest/gtest.h>

namespace hearth {
namespace {

TEST(LinkWords, RatesAreBitsOrBytes) {
  EXPECT_DOUBLE_EQ(read_link_rate("25Gb").value(), 25e9 / 8);
  EXPECT_DOUBLE_EQ(read_link_rate("100Mbit/s").value(), 100e6 / 8);
  EXPECT_DOUBLE_EQ(read_link_rate("2.5 GB/s").value(), 2.5e9);
  EXPECT_DOUBLE_EQ(read_link_rate("64kb").value(), 8e3);
}

TEST(LinkWords, WhatIsNoRateIsRefused) {
  for (const char* text : {"", "25", "Gb", "0Gb", "-1Gb", "nanGb", "infGb", "25Gp", "25G",
                           "1e999Gb", "25Gbb", "25XB", "25 G b"})
    EXPECT_FALSE(read_link_rate(text)) << text;
}

TEST(LinkWords, TimesHaveUnits) {
  EXPECT_DOUBLE_EQ(read_short_time("50us").value(), 50e-6);
  EXPECT_DOUBLE_EQ(read_short_time("0.2 ms").value(), 0.2e-3);
  EXPECT_DOUBLE_EQ(read_short_time("0s").value(), 0);
  for (const char* text : {"", "50", "us", "-1us", "50min", "nans"})
    EXPECT_FALSE(read_short_time(text)) << text;
}

}  // namespace
}  // namespace hearth
