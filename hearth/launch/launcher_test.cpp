// Real processes that fail, and are started again.
#include "hearth/launch/launcher.h"

#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>

#include "hearth/base/files.h"
#include "hearth/launch/hmac.h"
#include "hearth/launch/rank_process.h"

namespace hearth {
namespace {

using testing::HasSubstr;

struct Launch {
  std::string folder = testing::TempDir() + "launch-" + random_hex(6);
  std::vector<std::string> said;
  LaunchOptions options;

  Launch(int ranks, const std::string& script) {
    options.words = {"/bin/sh", "-c", "cd " + folder + "; " + script};
    options.ranks = ranks;
    options.logs = folder;
    options.store = "127.0.0.1:1";
    options.say = [this](const std::string& text) { said.push_back(text); };
  }
  ~Launch() { std::filesystem::remove_all(folder); }
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const {
    return read_file(folder + "/" + name);
  }
};

TEST(Launcher, TellsEachRankItsPlace) {
  Launch launch(
      2, "echo $HEARTH_RANK of $HEARTH_RANKS $HEARTH_LOCAL_RANK $HEARTH_ATTEMPT > r$HEARTH_RANK");
  launch.options.hosts = 2;
  launch.options.host_index = 1;
  EXPECT_EQ(0, launch_ranks(launch.options, {}));
  EXPECT_EQ("2 of 4 0 0.0\n", launch.file("r2"));
  EXPECT_EQ("3 of 4 1 0.0\n", launch.file("r3"));
}

TEST(Launcher, PassesOnTheExitCodeOfWhoFailedFirstAndShowsItsLog) {
  // The others end with 5: another rank was the reason.
  Launch launch(
      3, "if [ $HEARTH_RANK = 1 ]; then echo words of rank 1; exit 3; fi; sleep 0.3; exit 5");
  EXPECT_EQ(3, launch_ranks(launch.options, {}));
  ASSERT_EQ(1U, launch.said.size());
  EXPECT_THAT(launch.said[0], HasSubstr("rank 1 ended with 3"));
  EXPECT_THAT(launch.said[0], HasSubstr("words of rank 1"));
}

TEST(Launcher, NamesTheSignalThatKilledARank) {
  Launch launch(2, "if [ $HEARTH_RANK = 1 ]; then kill -9 $$; fi; exit 5");
  EXPECT_EQ(128 + 9, launch_ranks(launch.options, {}));
  EXPECT_THAT(launch.said[0], HasSubstr("rank 1 was ended by a signal (9"));
}

TEST(Launcher, ShowsWhyTheOthersGaveUpWhenRankZeroSaysNothing) {
  Launch launch(2, "[ $HEARTH_RANK = 0 ] && exec sleep 60; echo rank 0 is stopped; exit 5");
  launch.options.grace = std::chrono::milliseconds(50);
  EXPECT_EQ(5, launch_ranks(launch.options, {}));
  ASSERT_EQ(1U, launch.said.size());
  EXPECT_THAT(launch.said[0], HasSubstr("ranks that are left are ended; rank 1 ended with 5"));
  EXPECT_THAT(launch.said[0], HasSubstr("rank 0 is stopped"));
}

TEST(Launcher, StartsAgainAfterAFailureAndWithFewerIfItMay) {
  const std::string script =
      "echo x >> r$HEARTH_RANK; case $HEARTH_ATTEMPT in 0.0) [ $HEARTH_RANK = 2 ] && exit 1; exit "
      "5;; "
      "esac; echo $HEARTH_RANKS > ranks";
  Launch same(3, script);
  EXPECT_EQ(0, launch_ranks(same.options, {.restarts = 1}));
  EXPECT_EQ("3\n", same.file("ranks"));
  EXPECT_EQ("x\nx\n", same.file("r2"));
  Launch fewer(3, script);
  EXPECT_EQ(0, launch_ranks(fewer.options,
                            {.restarts = 1, .elastic = ElasticOptions{.min = 2, .max = 3}}));
  EXPECT_EQ("2\n", fewer.file("ranks"));
  Launch none(3, script);
  EXPECT_EQ(1, launch_ranks(none.options, {}));
}

TEST(Launcher, TakesInLostRanksAfterAWhile) {
  // The second attempt goes on until rank 0 is asked to save and end, and tells the other.
  Launch launch(3,
                "case $HEARTH_ATTEMPT in 0.0) [ $HEARTH_RANK = 2 ] && exit 1; exit 5;; "
                "0.1) trap 'touch end' TERM; until [ -f end ]; do sleep 0.05; done; exit 75;; "
                "esac; echo $HEARTH_RANKS > ranks");
  EXPECT_EQ(0, launch_ranks(
                   launch.options,
                   {.restarts = 1, .elastic = ElasticOptions{.min = 2, .max = 3, .rejoin = 0.1}}));
  EXPECT_EQ("3\n", launch.file("ranks"));
  EXPECT_THAT(launch.said.back(), HasSubstr("there may be 3 ranks again"));
}

TEST(Launcher, CountsOnlyFailuresThatBroughtNoNewCheckpoint) {
  const std::string fails = "echo x >> attempts; exit 1";
  Launch stuck(1, fails);
  EXPECT_EQ(1, launch_ranks(stuck.options, {.restarts = 2}));
  EXPECT_EQ("x\nx\nx\n", stuck.file("attempts"));
  // Four attempts get one step further each, then it stands still.
  Launch moves(
      1,
      "printf $PWD > run; mkdir -p checkpoints; [ $(wc -l < attempts || echo 0) -lt 4 ] && "
      "touch checkpoints/step-000$(wc -l < attempts || echo 0).safetensors; " +
          fails);
  EXPECT_EQ(1, launch_ranks(moves.options, {.restarts = 2}));
  EXPECT_EQ(std::string("x\nx\nx\nx\nx\nx\n"), moves.file("attempts"));
}

TEST(Launcher, DoesNotStartAgainWhatIsAnErrorOfTheConfig) {
  Launch launch(2, "echo x >> r$HEARTH_RANK; exit 2");
  EXPECT_EQ(2, launch_ranks(launch.options, {.restarts = 3}));
  EXPECT_EQ("x\n", launch.file("r0"));
}

TEST(Launcher, GoesOnWithTheRunThatRankZeroNoted) {
  EXPECT_EQ((std::vector<std::string>{"hearth", "train", "--resume", "runs/a", "--json"}),
            resuming_words({"hearth", "train", "a.yaml", "seed=1", "--json"}, "runs/a"));
  EXPECT_EQ((std::vector<std::string>{"hearth", "train", "a.yaml"}),
            resuming_words({"hearth", "train", "a.yaml"}, ""));
  EXPECT_EQ((std::vector<std::string>{"hearth", "evaluate", "x"}),
            resuming_words({"hearth", "evaluate", "x"}, "runs/a"));
}

}  // namespace
}  // namespace hearth
