#include "hearth/config/byte_size.h"

#include <gtest/gtest.h>

#include "hearth/config/schema.h"

namespace hearth {
namespace {

TEST(ByteSize, ReadsNumbersWithAUnit) {
  EXPECT_EQ(ByteSize::from("2GB"), (ByteSize{2'000'000'000}));
  EXPECT_EQ(ByteSize::from("1.5 MiB"), (ByteSize{1536 << 10}));
  EXPECT_EQ(ByteSize::from("4096B"), (ByteSize{4096}));
  for (const char* wrong :
       {"", "2", "GB", "-1GB", "0MB", "1e3MB", "2 apples", "99999999TB", "2..5GB"})
    EXPECT_EQ(ByteSize::from(wrong), std::nullopt) << wrong;
}

TEST(ByteSize, WritesWhatItReads) {
  for (const char* text : {"2GB", "512MiB", "3TB", "7B", "1500kB"})
    EXPECT_EQ(ByteSize::from(ByteSize::from(text)->text()), ByteSize::from(text)) << text;
  EXPECT_EQ(TypeOf<ByteSize>::write({2'000'000'000}).text(), "2GB");
  EXPECT_EQ(TypeOf<ByteSize>::type().label(), "size");
}

}  // namespace
}  // namespace hearth
