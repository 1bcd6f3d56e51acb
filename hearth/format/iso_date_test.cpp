// Tests of dates.
#include "hearth/format/iso_date.h"

#include <gtest/gtest.h>

namespace hearth {
namespace {

TEST(IsoDate, CountsDaysAndSeconds) {
  EXPECT_EQ(parse_date("1970-01-01")->day, 0);
  EXPECT_EQ(parse_date("1969-12-31")->day, -1);
  EXPECT_EQ(parse_date("2000/03/01")->day, 11'017);
  EXPECT_EQ(parse_date("1970-01-02T01:02")->seconds, 3720);
  EXPECT_EQ(parse_date("1970-01-02 01:02:03.25Z")->seconds, 3723.25);
}

TEST(IsoDate, TakesOffsetsOff) {
  const auto date = parse_date("1970-01-02T00:30:00+01:00");
  EXPECT_EQ(date->day, 0);
  EXPECT_EQ(date->seconds, 84'600);
  EXPECT_EQ(parse_date("1970-01-01T23:30-0100")->day, 1);
}

TEST(IsoDate, RefusesWhatNoCalendarHas) {
  for (const char* text : {"", "2023-02-29", "2023-13-01", "2023-00-01", "2023-1-1", "0000-01-01",
                           "2023-01-01 ", "2023-01-01T", "2023-01-01T24:00", "2023-01-01T12:60",
                           "2023-01-01T12:00:00.", "2023-01-01T12:00+1", "2023-01/01", "12:00"})
    EXPECT_FALSE(parse_date(text)) << text;
}

TEST(IsoDate, TellsPartsOfADay) {
  const CalendarDay day = calendar_day(parse_date("2024-02-29")->day);
  EXPECT_EQ(day.year, 2024);
  EXPECT_EQ(day.month, 2);
  EXPECT_EQ(day.day, 29);
  EXPECT_EQ(day.weekday, 3);  // a Thursday
  EXPECT_EQ(calendar_day(0).weekday, 3);
}

}  // namespace
}  // namespace hearth
