// Schedules that are made of others, or of a file.
#include <gtest/gtest.h>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/yaml.h"
#include "hearth/schedule/schedules/cosine.h"
#include "hearth/schedule/schedules/linear.h"
#include "hearth/schedule/schedules/piecewise.h"
#include "hearth/schedule/schedules/product.h"
#include "hearth/schedule/schedules/repeat.h"
#include "hearth/schedule/schedules/sum.h"
#include "hearth/schedule/schedules/table.h"

namespace hearth {
namespace {

constexpr TrainingLength kLength{.steps_per_epoch = 50, .total_steps = 200, .batch_size = 8};

double value_at(const Scheduled& scheduled, int64_t step) {
  return ScheduledValue(scheduled).at({step, step / kLength.steps_per_epoch, kLength});
}

std::vector<double> values_at(const Scheduled& scheduled, const std::vector<int64_t>& steps) {
  std::vector<double> values;
  for (const int64_t step : steps) values.push_back(value_at(scheduled, step));
  return values;
}

Scheduled read_yaml(const std::string& text) {
  return TypeOf<Scheduled>::read(parse_yaml(text, "a.yaml"));
}

using Steps = std::vector<int64_t>;
using Values = std::vector<double>;
using Range = std::pair<double, double>;
using Said = std::vector<std::string>;

TEST(Repeat, TakesTheNextValueEveryEpochAndStartsAgain) {
  const Scheduled lr = read_yaml("{repeat: {values: [0.1, 0.01, 0.001], every: 1ep}}");
  EXPECT_EQ(values_at(lr, {0, 49, 50, 99, 100, 149, 150, 199}),
            (Values{0.1, 0.1, 0.01, 0.01, 0.001, 0.001, 0.1, 0.1}));
  EXPECT_EQ(ScheduledValue(lr).changes(kLength), (Steps{0, 50, 100}));
  EXPECT_EQ(ScheduledValue(lr).range(), (Range{0.001, 0.1}));
}

TEST(Repeat, TakesTurnsOfAnyUnit) {
  const auto with = [](Time every) {
    return values_at(schedules::repeat({.values = {1, 2}, .every = every}), {0, 1, 2, 4, 5, 9, 10});
  };
  EXPECT_EQ(with(steps(1)), (Values{1, 2, 1, 1, 2, 2, 1}));
  EXPECT_EQ(with(steps(5)), (Values{1, 1, 1, 1, 2, 2, 1}));
  EXPECT_EQ(with(epochs(0.1)), (Values{1, 1, 1, 1, 2, 2, 1}));
  EXPECT_EQ(with(samples(40)), (Values{1, 1, 1, 1, 2, 2, 1}));
  EXPECT_EQ(with(percent(2.5)), (Values{1, 1, 1, 1, 2, 2, 1}));
}

TEST(Repeat, GoesByEpochsOfDifferentLengths) {
  std::vector<EpochLine> lines;
  for (const int64_t first : {0, 10, 15, 20}) lines.push_back({.first_step = first});
  const TrainingLength uneven{
      .steps_per_epoch = 10, .total_steps = 20, .batch_size = 1, .epochs = &lines};
  const ScheduledValue value(schedules::repeat({.values = {1, 2}}));
  Values seen;
  for (const int64_t step : {9, 10, 14, 15, 19}) seen.push_back(value.at({step, 0, uneven}));
  EXPECT_EQ(seen, (Values{1, 2, 2, 1, 1}));
}

// Steps 0, 1, 2 show each value; epochs begin with 0, 2 and 1 (50 = 48 + 2, 100 = 99 + 1).
TEST(Repeat, ChangesWhereAnEpochBeginsWithAValueForTheFirstTime) {
  const Scheduled every_step = schedules::repeat({.values = {0, 1, 2}, .every = steps(1)});
  EXPECT_EQ(ScheduledValue(every_step).changes(kLength), (Steps{0, 1, 2, 50, 100}));
}

TEST(Repeat, SaysWhatATrainingNeverSees) {
  const auto unreached = [](Time every) {
    return ScheduledValue(schedules::repeat({.values = {1, 0.5, 2}, .every = every}))
        .unreached(kLength);
  };
  EXPECT_EQ(unreached(epochs(1)), Said{});
  EXPECT_EQ(unreached(epochs(2)), (Said{"the value 2 would first come at step 200, but the run "
                                        "ends after 200 steps."}));
  EXPECT_EQ(unreached(epochs(0.001)),
            (Said{"every 0.001ep is shorter than a step, so values are skipped."}));
}

TEST(Repeat, HoldsSchedulesThatGoOnWithTheRun) {
  const Scheduled mixed = schedules::repeat(
      {.values = {7, schedules::linear({.first = 0, .last = 200})}, .every = steps(10)});
  EXPECT_EQ(values_at(mixed, {0, 10, 15, 20, 30}), (Values{7, 10, 15, 7, 30}));
}

TEST(Piecewise, TakesTimesAsKeys) {
  const Scheduled size = read_yaml("{piecewise: {0ep: 16, 1ep: 32, 75%: 64, 1440sm: 8}}");
  EXPECT_EQ(values_at(size, {0, 49, 50, 149, 150, 179, 180}), (Values{16, 16, 32, 32, 64, 64, 8}));
  EXPECT_EQ(ScheduledValue(size).changes(kLength), (Steps{0, 50, 150, 180}));
}

TEST(Piecewise, WritesTimesAsKeys) {
  const Scheduled size = schedules::piecewise({.pieces = {{epochs(0), 16}, {epochs(1), 32}}});
  EXPECT_EQ(to_yaml_line(TypeOf<Scheduled>::write(size)), "{piecewise: {0ep: 16, 1ep: 32}}");
  EXPECT_EQ(values_at(size, {49, 50}), (Values{16, 32}));
}

TEST(Piecewise, HoldsSchedules) {
  const Scheduled lr = read_yaml(
      "{piecewise: {0ep: {linear: {first: 0, last: 50, end: 1ep}}, 1ep: {cosine: {peak: 4}}}}");
  EXPECT_EQ(values_at(lr, {0, 25, 49}), (Values{0, 25, 49}));
  EXPECT_DOUBLE_EQ(value_at(lr, 100), 2);
  EXPECT_EQ(ScheduledValue(lr).range(), (Range{0, 50}));
}

TEST(Piecewise, SaysWhatIsWrongWithTimes) {
  const auto said = [](const std::string& options) {
    return message_of<ConfigError>(
        [&] { ScheduledValue{read_yaml("{piecewise: " + options + "}")}; });
  };
  EXPECT_NE(said("{1ep: 2}").find("the first time must be 0"), std::string::npos);
  EXPECT_NE(said("{0ep: 2, 3ep: 1, 2ep: 0}").find("times must rise"), std::string::npos);
  EXPECT_NE(said("{0ep: 2, values: [1, 2], at: 1ep}").find("not both"), std::string::npos);
}

TEST(Sum, AddsSchedulesAndNumbers) {
  const Scheduled lr = read_yaml("{sum: {of: [{cosine: {peak: 0.4}}, 0.1]}}");
  EXPECT_EQ(value_at(lr, 0), 0.4 + 0.1);
  EXPECT_EQ(value_at(lr, 100), value_at(schedules::cosine({.peak = 0.4}), 100) + 0.1);
  EXPECT_EQ(ScheduledValue(lr).range(), (Range{0.1, 0.5}));
}

TEST(Product, MultipliesSchedulesAndNumbers) {
  const Scheduled rise = schedules::linear({.first = -1, .last = 2, .end = epochs(2)});
  const Scheduled lr = schedules::product({.of = {rise, -3, 0.5}});
  EXPECT_EQ(values_at(lr, {0, 50, 100, 150}), (Values{1.5, -0.75, -3, -3}));
  EXPECT_EQ(ScheduledValue(lr).range(), (Range{-3, 1.5}));
  EXPECT_EQ(ScheduledValue(lr).changes(kLength), (Steps{0, 100}));
}

TEST(Arithmetic, ReadsAsItIsWritten) {
  const Scheduled cosine = schedules::cosine({.peak = 0.4});
  const Scheduled lr = 0.5 * cosine + schedules::linear({.first = 1}) + 0.25;
  EXPECT_EQ(value_at(lr, 60),
            0.5 * value_at(cosine, 60) + value_at(schedules::linear({.first = 1}), 60) + 0.25);
  EXPECT_EQ(lr.schedule().name(), "sum");
  EXPECT_EQ(lr.schedule().options().find("of")->items().size(), 3U);
  EXPECT_EQ(value_at(TypeOf<Scheduled>::read(TypeOf<Scheduled>::write(lr)), 60), value_at(lr, 60));
}

TEST(Combined, SaysWhichPartATrainingNeverSees) {
  const Scheduled lr = 0.5 * Scheduled(schedules::cosine({.warmup = steps(300)}));
  EXPECT_EQ(ScheduledValue(lr).unreached(kLength),
            (Said{"of[1]: warmup 300st takes 300 steps, but the run ends after 200, so the peak is "
                  "never reached."}));
}

class TableFile : public testing::Test {
 protected:
  void SetUp() override { path_ = testing::TempDir() + "hearth_table.csv"; }
  void TearDown() override { std::filesystem::remove(path_); }
  [[nodiscard]] schedules::TableOptions holding(const std::string& text) const {
    write_file_durably(path_, text);
    return {.file = path_};
  }
  [[nodiscard]] std::string refusal(schedules::TableOptions options) const {
    return message_of<DataError>([&] { (void)value_at(schedules::table(options), 0); });
  }
  std::string path_;
};

TEST_F(TableFile, HoldsEachValueUntilTheNextRow) {
  const Scheduled lr = schedules::table(holding("step,value\n10,0.5\n20,0.25\n"));
  EXPECT_EQ(values_at(lr, {0, 10, 19, 20, 199}), (Values{0.5, 0.5, 0.5, 0.25, 0.25}));
  EXPECT_EQ(ScheduledValue(lr).changes(kLength), (Steps{0, 10, 20}));
  EXPECT_EQ(ScheduledValue(lr).range(), (Range{0.25, 0.5}));
}

TEST_F(TableFile, GoesInLinesBetweenRows) {
  auto options = holding("epoch,value\n0,1\n1,2\n3,0\n");
  options.interpolation = "linear";
  EXPECT_EQ(values_at(schedules::table(options), {0, 25, 50, 100, 150, 199}),
            (Values{1, 1.5, 2, 1, 0, 0}));
}

TEST_F(TableFile, FindsItsColumns) {
  auto options = holding("Wall time,Percent,Rate,Loss\n5,0,1,8\n6,50,2,9\n");
  EXPECT_NE(refusal(options).find("Name one with `column`"), std::string::npos);
  options.column = "rate";
  EXPECT_EQ(values_at(schedules::table(options), {99, 100}), (Values{1, 2}));
  auto samples = holding("0;3\n80;4\n");
  samples.unit = "sm";
  EXPECT_EQ(values_at(schedules::table(samples), {9, 10}), (Values{3, 4}));
}

TEST_F(TableFile, SaysWhatIsWrongWithARow) {
  const auto said = [&](const std::string& text) {
    return refusal(holding(text)).substr(path_.size());
  };
  EXPECT_EQ(said("step,value\n5,1\n5,2\n"), ":3: the time 5 does not come after 5 before it.");
  EXPECT_EQ(said("-1,1\n"), ":1: the time -1 lies before the start.");
  EXPECT_EQ(said("0,nan\n"), ":1: expected a finite number.");
  EXPECT_EQ(said("0\n"), ":1: has 1 column, but column 2 is needed.");
  EXPECT_EQ(said("step,value\n"), ": has no rows of times and values.");
  EXPECT_EQ(said("rate,value\n0,1\n"),
            ":1: no column is called step, epoch, sample or percent, but rate, value. Say with "
            "`unit` what the first one counts.");
}

TEST_F(TableFile, SaysWhichRowsATrainingNeverSees) {
  auto options = holding("epoch,value\n0,1\n4,2\n5,3\n");
  EXPECT_EQ(ScheduledValue(schedules::table(options)).unreached(kLength),
            (Said{"2 of the 3 rows of " + path_ +
                  " are for later than the run's 200 steps, from 4ep (step 200) on."}));
  options = holding("epoch,value\n0,1\n4,2\n");
  options.interpolation = "linear";
  EXPECT_EQ(ScheduledValue(schedules::table(options)).unreached(kLength), Said{});
}

TEST_F(TableFile, RefusesAFileThatIsNotTheRecordedOne) {
  auto options = holding("0,1\n");
  options.digest = sha256_hex("0,1\n");
  EXPECT_EQ(value_at(schedules::table(options), 0), 1);
  options.digest = sha256_hex("0,2\n");
  EXPECT_NE(refusal(options).find("is not the file"), std::string::npos);
}

TEST(Table, IsReadOnlyWhenItIsAsked) {
  const ScheduledValue lr(schedules::table({.file = "/nowhere/lr.csv"}));
  EXPECT_THROW((void)lr.changes(kLength), DataError);
  EXPECT_EQ(schedule_range(schedules::table({.file = "/nowhere/lr.csv"}).node()), std::nullopt);
}

TEST(ScheduleRange, IsUnknownForPartsThatAreNotRegistered) {
  EXPECT_EQ(schedule_range(parse_yaml("{sum: {of: [1, {mine: {}}]}}", "a.yaml")), std::nullopt);
  EXPECT_EQ(schedule_range(parse_yaml("{piecewise: {0ep: {mine: {}}}}", "a.yaml")), std::nullopt);
  EXPECT_EQ(schedule_range(parse_yaml("{sum: {of: [1, {linear: {}}]}}", "a.yaml")),
            (Range{1, 1.001}));
}

}  // namespace
}  // namespace hearth
