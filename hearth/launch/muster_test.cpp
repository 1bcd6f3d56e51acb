// Hosts as threads, with the files of one folder between them.
#include "hearth/launch/muster.h"

#include <gmock/gmock.h>

#include <atomic>
#include <future>

#include "hearth/base/files.h"
#include "hearth/launch/cluster_error.h"
#include "hearth/launch/hmac.h"

namespace hearth {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;

class MusterTest : public testing::Test {
 protected:
  MusterTest() = default;
  ~MusterTest() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::unique_ptr<Muster> host(int number, int least = 2) const {
    MusterOptions options;
    options.folder = folder_;
    options.host = number;
    options.hosts = 3;
    options.least = least;
    options.beat = milliseconds(10);
    options.silence = milliseconds(500);
    options.first_call = milliseconds(200);
    options.last_call = milliseconds(100);
    options.patience = milliseconds(300);
    return std::make_unique<Muster>(options);
  }

  [[nodiscard]] static std::future<std::optional<Round>> round_of(Muster& muster) {
    return std::async(std::launch::async, [&muster] { return muster.await_round(); });
  }

  std::filesystem::path folder_ = testing::TempDir() + "muster-" + random_hex(6);
};

TEST_F(MusterTest, CallsAllThatCome) {
  const auto one = host(0), two = host(1), three = host(2);
  auto first = round_of(*one), second = round_of(*two), third = round_of(*three);
  EXPECT_THAT(first.get()->hosts, ElementsAre(0, 1, 2));
  EXPECT_THAT(second.get()->hosts, ElementsAre(0, 1, 2));
  EXPECT_EQ(1, third.get()->number);
}

TEST_F(MusterTest, GoesOnWithoutAHostThatIsGoneAndTakesItInAgain) {
  const auto two = host(1), three = host(2);
  auto one = host(0);
  auto first = round_of(*one), second = round_of(*two), third = round_of(*three);
  ASSERT_TRUE(first.get() && second.get() && third.get());
  one.reset();  // with all its ranks
  while (two->lost_hosts().empty()) std::this_thread::sleep_for(milliseconds(5));
  EXPECT_THAT(two->lost_hosts(), ElementsAre(0));
  second = round_of(*two), third = round_of(*three);
  EXPECT_THAT(second.get()->hosts, ElementsAre(1, 2));
  EXPECT_EQ(2, third.get()->number);
  EXPECT_TRUE(two->newcomers().empty());
  one = host(0);
  first = round_of(*one);
  while (two->newcomers().empty()) std::this_thread::sleep_for(milliseconds(5));
  EXPECT_TRUE(three->newcomers().empty());  // one looks after that
  second = round_of(*two), third = round_of(*three);
  EXPECT_THAT(first.get()->hosts, ElementsAre(0, 1, 2));
  EXPECT_THAT(second.get()->hosts, ElementsAre(0, 1, 2));
  EXPECT_EQ(3, third.get()->number);
}

TEST_F(MusterTest, NamesWhoDidNotComeWhenThereAreTooFew) {
  const auto one = host(0, 3), two = host(1, 3);
  auto first = round_of(*one), second = round_of(*two);
  for (auto* round : {&first, &second}) try {
      (void)round->get();
      FAIL() << "it should not go on with two";
    } catch (const ClusterError& error) {
      EXPECT_THAT(error.what(), HasSubstr("host 2 of 3 did not come, and 3 are needed"));
    }
}

TEST_F(MusterTest, TellsAHostThatWaitsThatTheRunIsOver) {
  const auto one = host(0), two = host(1);
  auto first = round_of(*one), second = round_of(*two);
  ASSERT_TRUE(first.get() && second.get());
  const auto three = host(2);
  auto third = round_of(*three);
  while (one->newcomers().empty()) std::this_thread::sleep_for(milliseconds(5));
  one->finish();
  two->finish();
  EXPECT_FALSE(third.get());
}

TEST_F(MusterTest, DoesNotCountWhatAnEarlierLaunchLeft) {
  std::filesystem::create_directories(folder_);
  write_file_durably(folder_ / "host-1", "0000000000000017 runs \n");
  write_file_durably(folder_ / "host-2", "0000000000000017 done \n");
  write_file_durably(folder_ / "round-000004", "0 1\n");
  const auto one = host(0, 1);
  const std::optional<Round> round = one->await_round();
  ASSERT_TRUE(round);
  EXPECT_EQ(5, round->number);
  EXPECT_THAT(round->hosts, ElementsAre(0));
}

}  // namespace
}  // namespace hearth
