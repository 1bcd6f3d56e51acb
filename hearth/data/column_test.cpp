// One key of all samples: nothing else is decoded, and the earliest error is told.
#include "hearth/data/column.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/data/fixtures_test.h"
#include "hearth/data/sample_reader.h"

namespace hearth {
namespace {

using testing_data::CountingSource;

TEST(Column, DecodesNothingElse) {
  const CountingSource source(20000);
  const std::vector<int64_t> ids = whole_column(source, {"test", "id"});
  ASSERT_EQ(ids.size(), 20000U);
  for (size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(ids[i], static_cast<int64_t>(i));
  EXPECT_EQ(source.reads, 20000);
  EXPECT_EQ(source.x_reads, 0);
}

TEST(Column, TellsTheEarliestOfSeveralErrors) {
  const CountingSource source(20000, {19999, 12000, 13, 14});
  EXPECT_EQ(message_of<DataError>([&] {
              (void)whole_column(source, {"test", "id"});
            }),
            "test: counting[13]: the bytes are damaged.");
}

TEST(Column, OfNoSamplesIsEmpty) {
  const CountingSource source(0);
  EXPECT_TRUE(number_column(source, {"test", "id"}).empty());
  EXPECT_EQ(group_column(source, {"test", "id"}).groups, 0);
}

TEST(Column, SaysWhatTheKeyMustHold) {
  const CountingSource source(5);
  const auto fault = [&](const auto& column, const std::string& key) {
    return message_of<DataError>([&] { (void)column(source, {"test", key}); });
  };
  EXPECT_EQ(fault(whole_column, "x"),
            "test: key 'x' must hold one whole number, but is float32 [B, 4].");
  EXPECT_EQ(fault(number_column, "x"),
            "test: key 'x' must hold one number, but is float32 [B, 4].");
  EXPECT_EQ(fault(text_column, "id"), "test: key 'id' must hold a text, but is int64 [B].");
  EXPECT_EQ(fault(group_column, "x"),
            "test: key 'x' must hold one whole number or a text, but is float32 [B, 4].");
  EXPECT_EQ(fault(class_column, "idd"), "test: the source has no key 'idd'. Did you mean 'id'?");
}

TEST(ForEachStretch, CoversEveryCountOnce) {
  for (const int64_t count : {0, 1, 4095, 4096, 10001}) {
    std::vector<std::atomic<int>> times(static_cast<size_t>(count));
    for_each_stretch(count, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) ++times[static_cast<size_t>(i)];
    });
    for (const auto& each : times) EXPECT_EQ(each, 1);
  }
}

}  // namespace
}  // namespace hearth
