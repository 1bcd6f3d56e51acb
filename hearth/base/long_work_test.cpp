#include "hearth/base/long_work.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace hearth {
namespace {

TEST(LongWork, TellsNothingOfWhatIsShort) {
  int heard = 0;
  const ListenToWork listen(
      {.on_progress = [&](const std::string&, uint64_t, uint64_t) { ++heard; }});
  LongWork work("reading");
  for (uint64_t i = 0; i < 1000; ++i) work.tell(i, 1000);
  EXPECT_EQ(heard, 0);
}

TEST(LongWork, TellsWhoeverListensOnItsThread) {
  std::vector<std::string> heard;
  const auto note = [&](const std::string& text) { heard.push_back(text); };
  tell_work_note("nobody listens");
  {
    const ListenToWork outer({.on_note = note});
    tell_work_note("one");
    {
      const ListenToWork inner({});
      tell_work_note("the inner one has no ear");
    }
    tell_work_note("two");
    std::thread([] { tell_work_note("another thread"); }).join();
  }
  EXPECT_EQ(heard, (std::vector<std::string>{"one", "two"}));
}

TEST(LongWork, TellsHowFarLongWorkIs) {
  std::vector<std::string> heard;
  const ListenToWork listen(
      {.on_progress = [&](const std::string& what, uint64_t done, uint64_t all) {
        heard.push_back(what + " " + std::to_string(done) + "/" + std::to_string(all));
      }});
  LongWork work("reading");
  std::this_thread::sleep_for(std::chrono::milliseconds(520));
  work.tell(3, 4);
  work.tell(4, 4);  // too soon after
  EXPECT_EQ(heard, (std::vector<std::string>{"reading 3/4"}));
}

}  // namespace
}  // namespace hearth
