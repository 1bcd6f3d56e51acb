// Values whose size differs from sample to sample: memory that grows, is counted and has a limit.
#include "hearth/data/value.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"

namespace hearth {
namespace {

const Spec kTokens{.dtype = DType::kInt64, .shape = {kAnyLength}};

TEST(RaggedValue, GrowsAndIsCountedAndNeverShrinks) {
  RaggedMemory memory;
  {
    RaggedValue value(memory);
    const Cell cell(value, kTokens);
    EXPECT_EQ(cell.take({10}).as<int64_t>().size(), 10U);
    EXPECT_EQ(memory.held_bytes, 256);
    const std::byte* before = cell.take({100}).data;
    EXPECT_EQ(memory.held_bytes, 1024);
    EXPECT_EQ(cell.take({3}).data, before);
    EXPECT_EQ(cell.view().shape[0], 3);
    EXPECT_EQ(memory.held_bytes, 1024);
  }
  EXPECT_EQ(memory.held_bytes, 0);
}

TEST(RaggedValue, RefusesWhatIsBeyondTheLimit) {
  RaggedMemory memory;
  memory.most_bytes_per_value = 1 << 20;
  RaggedValue value(memory);
  (void)value.take(std::vector<int64_t>{1 << 17}, kTokens);
  EXPECT_EQ(memory.held_bytes, 1 << 20);
  EXPECT_EQ(message_of<DataError>(
                [&] { (void)value.take(std::vector<int64_t>{(1 << 17) + 1}, kTokens); }),
            "a value of 1.0 MiB is beyond the limit of 1.0 MiB. Make it smaller, or raise "
            "data.value_megabytes.");
}

TEST(Cell, RefusesAShapeThatTheSpecDoesNotHave) {
  RaggedMemory memory;
  RaggedValue value(memory);
  const Spec boxes{.shape = {kAnyLength, 4}};
  const Cell cell(value, boxes);
  EXPECT_EQ(cell.take({0, 4}).elements(), 0U);
  EXPECT_EQ(message_of<DataError>([&] {
              (void)cell.take({2, 5});
            }),
            "made float32 [B, 2, 5], but the value is float32 [B, ?, 4].");
  EXPECT_THROW((void)cell.take({2}), DataError);
  EXPECT_THROW((void)cell.take({-1, 4}), DataError);
}

TEST(Cell, OfAFixedValueIsItsRow) {
  float row[4] = {};
  const Spec spec{.shape = {2, 2}};
  const Cell cell(reinterpret_cast<std::byte*>(row), spec);
  EXPECT_EQ(cell.take({2, 2}).as<float>().data(), row);
  EXPECT_EQ(cell.as<float>().size(), 4U);
  EXPECT_THROW((void)cell.take({2, 3}), DataError);
  EXPECT_FALSE(Cell().is_wanted());
}

}  // namespace
}  // namespace hearth
