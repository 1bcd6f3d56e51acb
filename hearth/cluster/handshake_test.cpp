// The secret that ranks share.
#include "hearth/cluster/handshake.h"

#include <gmock/gmock.h>

#include <thread>

#include "hearth/cluster/group.h"
#include "hearth/cluster/join.h"
#include "hearth/cluster/key_store.h"
#include "hearth/launch/cluster_error.h"

namespace hearth {
namespace {

std::string error_with(const std::vector<std::string>& secrets) {
  const OpenStore open = open_hash_store();
  std::vector<std::string> errors(secrets.size());
  std::vector<std::thread> threads;
  for (size_t rank = 0; rank < secrets.size(); ++rank)
    threads.emplace_back([&, rank] {
      RankPlace place;
      place.rank = static_cast<int>(rank);
      place.size = static_cast<int>(secrets.size());
      try {
        JoinOptions options;
        options.secret = secrets[rank];
        prove_secret(*open(std::chrono::seconds(10)), place, options);
      } catch (const ClusterError& error) {
        errors[rank] = error.what();
      }
    });
  for (std::thread& thread : threads) thread.join();
  return errors.front();
}

TEST(Handshake, TakesWhoKnowsTheSecret) { EXPECT_EQ("", error_with({"a", "a", "a"})); }

TEST(Handshake, NamesWhoDoesNot) {
  const std::string error = error_with({"a", "a", "b"});
  EXPECT_THAT(error, testing::HasSubstr("rank 0 and rank 2 do not have the same secret"));
  EXPECT_THAT(error, testing::HasSubstr("HEARTH_SECRET"));
}

TEST(Handshake, NamesWhoCameAndFellSilent) {
  const std::unique_ptr<KeyStore> store = open_hash_store()(std::chrono::seconds(10));
  RankPlace place;
  place.size = 2;
  store->set("here/1", "node2, process 4711");
  std::vector<std::string> said;
  JoinOptions options;
  options.silence = std::chrono::milliseconds(60);
  options.slow = std::chrono::milliseconds(10);
  options.say = [&](const std::string& text) { said.push_back(text); };
  try {
    prove_secret(*store, place, options);
    FAIL() << "nobody answered";
  } catch (const ClusterError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("rank 1 (node2, process 4711) came, but"));
  }
  ASSERT_FALSE(said.empty());
  EXPECT_EQ("rank 0 waits for rank 1 (node2, process 4711), at the start (127.0.0.1:29500)",
            said.front());
}

TEST(Handshake, IsAskedForBeyondThisHost) {
  RankPlace place;
  place.size = 2;
  place.host = "192.0.2.1";
  EXPECT_THROW((void)join_group(place, {}), ConfigError);
}

}  // namespace
}  // namespace hearth
