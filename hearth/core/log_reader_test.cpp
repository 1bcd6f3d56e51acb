// Reading a run log that grows, is torn, cut, replaced or deleted meanwhile.
#include "hearth/core/log_reader.h"

#include <gtest/gtest.h>

#include <fstream>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"

namespace hearth {
namespace {

// Two runs of the same config differ by the times of their events.
std::string step_line(int64_t step, double time = 1) {
  return to_line({"step", step, 0, time, {{"loss", 0.5}}, {}});
}

class ReadsLog : public testing::Test {
 protected:
  void SetUp() override { fs::remove(path_); }
  void write(const std::string& text) const { std::ofstream(path_, std::ios::trunc) << text; }
  void append(const std::string& text) const { std::ofstream(path_, std::ios::app) << text; }
  // The log as a consumer knows it: "1 2 3", "cut 1" and so on; up to where nothing is new.
  static std::string news_of(LogReader& reader) {
    std::string text;
    for (LogNews news = reader.next(); news.index() != 0; news = reader.next()) {
      if (const auto* cut = std::get_if<LogCut>(&news))
        text += "cut " + std::to_string(cut->events) + " at " + std::to_string(cut->step) + " ";
      else
        text += std::to_string(std::get<Event>(news).step) + " ";
    }
    return text;
  }
  const fs::path path_ = fs::path(testing::TempDir()) / "read.jsonl";
};

TEST_F(ReadsLog, WaitsForAFileThatIsNotThereYet) {
  LogReader reader(path_);
  EXPECT_EQ(news_of(reader), "");
  EXPECT_FALSE(reader.is_gone());
  write(step_line(1));
  EXPECT_EQ(news_of(reader), "1 ");
}

TEST_F(ReadsLog, FollowsAFileThatGrows) {
  LogReader reader(path_);
  write("");
  for (int64_t step = 1; step <= 1000; ++step) {
    append(step_line(step));
    if (step % 7 == 0) {
      EXPECT_NE(news_of(reader), "");
      EXPECT_EQ(reader.events(), static_cast<uint64_t>(step));
    }
  }
}

TEST_F(ReadsLog, GivesALineOnceItsEndIsThere) {
  LogReader reader(path_);
  const std::string line = step_line(2);
  write(step_line(1));
  EXPECT_EQ(news_of(reader), "1 ");
  for (const char byte : line.substr(0, line.size() - 1)) {
    append(std::string(1, byte));
    EXPECT_EQ(news_of(reader), "");
  }
  append("\n");
  EXPECT_EQ(news_of(reader), "2 ");
}

TEST_F(ReadsLog, GoesOnWhereAResumeCutTheFile) {
  LogReader reader(path_);
  write(step_line(1) + step_line(2) + step_line(2) + step_line(3) + step_line(4));
  EXPECT_EQ(news_of(reader), "1 2 2 3 4 ");
  fs::resize_file(path_, 3 * step_line(1).size());
  EXPECT_EQ(news_of(reader), "cut 3 at 2 ");
  append(step_line(3, 9));
  EXPECT_EQ(news_of(reader), "3 ");
}

TEST_F(ReadsLog, NoticesACutAlsoWhenTheFileHasGrownAgainSince) {
  LogReader reader(path_);
  write(step_line(1) + step_line(2) + step_line(3));
  EXPECT_EQ(news_of(reader), "1 2 3 ");
  fs::resize_file(path_, step_line(1).size());
  append(step_line(2, 9) + step_line(3, 9) + step_line(4, 9));
  EXPECT_EQ(news_of(reader), "cut 1 at 1 2 3 4 ");
}

TEST_F(ReadsLog, NoticesACutOfAHalfLine) {
  LogReader reader(path_);
  write(step_line(1) + step_line(2).substr(0, 20));
  EXPECT_EQ(news_of(reader), "1 ");
  write(step_line(1) + step_line(7, 3));
  EXPECT_EQ(news_of(reader), "7 ");
}

TEST_F(ReadsLog, DropsFewEventsOfALongLog) {
  LogReader reader(path_);
  std::string text;
  for (int64_t step = 1; step <= 5000; ++step) text += step_line(step);
  write(text);
  (void)news_of(reader);
  std::string kept;
  for (int64_t step = 1; step <= 4000; ++step) kept += step_line(step);
  write(kept + step_line(4001, 9));
  const auto cut = std::get<LogCut>(reader.next());
  EXPECT_LE(cut.step, 4000);
  EXPECT_GT(cut.step, 3800);
  EXPECT_EQ(cut.events, static_cast<uint64_t>(cut.step));
  EXPECT_EQ(std::get<Event>(reader.next()).step, cut.step + 1);
  (void)news_of(reader);
  EXPECT_EQ(reader.events(), 4001u);
}

// As a repair does: another file under the name, with the same lines at its start.
TEST_F(ReadsLog, GoesOnInAFileThatReplacedIt) {
  LogReader reader(path_);
  write(step_line(1) + step_line(2));
  EXPECT_EQ(news_of(reader), "1 2 ");
  write_file_durably(path_, step_line(1) + step_line(2) + step_line(3));
  EXPECT_EQ(news_of(reader), "3 ");
  write_file_durably(path_, step_line(1) + step_line(2, 9));
  EXPECT_EQ(news_of(reader), "cut 1 at 1 2 ");
  write_file_durably(path_, step_line(5));
  EXPECT_EQ(news_of(reader), "cut 0 at -1 5 ");
}

TEST_F(ReadsLog, SaysThatTheFileIsGoneAndTakesUpANewOne) {
  LogReader reader(path_);
  write(step_line(1) + step_line(2));
  EXPECT_EQ(news_of(reader), "1 2 ");
  fs::remove(path_);
  EXPECT_EQ(news_of(reader), "");
  EXPECT_TRUE(reader.is_gone());
  write(step_line(1));
  EXPECT_EQ(news_of(reader), "cut 1 at 1 ");
  EXPECT_FALSE(reader.is_gone());
}

TEST_F(ReadsLog, TakesALineOfManyBlocksAndRefusesAnAbsurdOne) {
  const std::string line = to_line({"table", 1, 0, 1, {}, {{"text", std::string(200'000, 'x')}}});
  write(step_line(0) + line + step_line(2));
  LogReader patient(path_);
  EXPECT_EQ(news_of(patient), "0 1 2 ");
  LogReader strict(path_, 100'000);
  const auto refused = path_.string() + ":2: a line of more than 97.7 KiB, which no run writes.";
  EXPECT_EQ(message_of<DataError>([&] { (void)news_of(strict); }), refused);
  EXPECT_EQ(message_of<DataError>([&] { (void)news_of(strict); }), refused);
}

TEST_F(ReadsLog, RefusesAnEndlessLineWithoutKeepingIt) {
  write(std::string(3 << 20, '\0'));
  LogReader reader(path_, 1 << 20);
  EXPECT_EQ(message_of<DataError>([&] { (void)reader.next(); }),
            path_.string() + ":1: a line of more than 1.0 MiB, which no run writes.");
}

TEST_F(ReadsLog, NamesTheLineThatIsNoEvent) {
  for (const std::string& line :
       {std::string("\n"), std::string("{}\n"), std::string("\0\0\n", 3), std::string("[1]\n"),
        std::string(R"({"event":"step","step":1e300,"epoch":0})") + "\n",
        std::string(R"({"event":"step","step":-1,"epoch":0})") + "\n",
        std::string(R"({"event":"step","step":18446744073709551615,"epoch":0})") + "\n",
        std::string(R"({"event":"step","step":1,"epoch":0,"values":{"loss":"much"}})") + "\n",
        std::string(R"({"event":"step","step":1,"epoch":0,"details":7})") + "\n"}) {
    write(step_line(1) + line);
    LogReader reader(path_);
    EXPECT_EQ(message_of<DataError>([&] { (void)news_of(reader); }),
              path_.string() + ":2: not an event of a run log.")
        << line;
  }
}

TEST_F(ReadsLog, GoesOnAfterAMendedLine) {
  write(step_line(1) + std::string(40, '\0') + "\n");
  LogReader reader(path_);
  EXPECT_THROW((void)news_of(reader), DataError);
  write_file_durably(path_, step_line(1) + step_line(2));
  EXPECT_EQ(news_of(reader), "2 ");
}

TEST_F(ReadsLog, AsAWholeWhenNobodyWrites) {
  EXPECT_THROW((void)read_run_log(path_), DataError);
  write(step_line(1) + step_line(2).substr(0, 9));
  EXPECT_EQ(read_run_log(path_).size(), 1u);
}

}  // namespace
}  // namespace hearth
