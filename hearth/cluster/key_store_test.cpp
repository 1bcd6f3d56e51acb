// The start of ranks at LibTorch's store.
#include "hearth/cluster/key_store.h"

#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <memory>

#include "hearth/cluster/group.h"
#include "hearth/cluster/join.h"
#include "hearth/launch/cluster_error.h"
#include "hearth/launch/sockets.h"

namespace hearth {
namespace {

using std::chrono::milliseconds;
constexpr int kFiles = 1024;

// Of what this process has listening at the port: "", when it may be reached from anywhere.
std::vector<std::string> devices_at(uint16_t port) {
  std::vector<std::string> devices;
  for (int file = 0; file < kFiles; ++file) {
    int is_listener = 0;
    socklen_t size = sizeof is_listener;
    sockaddr_in6 own{};  // a port is at the same place in those of both versions
    socklen_t own_size = sizeof own;
    if (getsockopt(file, SOL_SOCKET, SO_ACCEPTCONN, &is_listener, &size) != 0 || is_listener == 0 ||
        getsockname(file, reinterpret_cast<sockaddr*>(&own), &own_size) != 0 ||
        ntohs(own.sin6_port) != port)
      continue;
    char device[64] = {};
    socklen_t length = sizeof device;
    getsockopt(file, SOL_SOCKET, SO_BINDTODEVICE, device, &length);
    devices.emplace_back(device);
  }
  return devices;
}

RankPlace place_of(int rank, int size) {
  RankPlace place;
  place.rank = rank;
  place.size = size;
  place.port = free_port();
  return place;
}

TEST(KeyStore, OfRanksOnOneHostCannotBeReachedFromAnother) {
  const RankPlace place = place_of(0, 2);
  std::vector<std::string> said;
  const OpenStore open = open_tcp_store(place, milliseconds(5000),
                                        [&](const std::string& text) { said.push_back(text); });
  EXPECT_THAT(devices_at(place.port), testing::ElementsAre("lo"));
  EXPECT_THAT(said, testing::IsEmpty());
  const std::unique_ptr<KeyStore> store = open(milliseconds(5000));
  store->set("word", "here");
  EXPECT_EQ("here", store->get("word"));
  EXPECT_FALSE(keep_to_loopback(free_port()));
}

// What a rank says that waits in vain, and how it ends.
std::pair<std::string, std::string> waiting_of(const RankPlace& place) {
  std::string said;
  JoinOptions options;
  options.start_timeout = milliseconds(200);
  options.slow = milliseconds(20);
  options.say = [&](const std::string& text) { said += text + "\n"; };
  try {
    (void)join_group(place, options);
  } catch (const ClusterError& error) {
    return {said, error.what()};
  }
  return {said, ""};
}

TEST(KeyStore, WhoIsMissingAtTheStartIsNamed) {
  const RankPlace place = place_of(0, 3);
  const auto [said, error] = waiting_of(place);
  const std::string where = "127.0.0.1:" + std::to_string(place.port);
  EXPECT_THAT(said, testing::StartsWith("rank 0 waits for ranks 1, 2 of 3, at the start (" + where +
                                        ")\n"));
  EXPECT_THAT(error, testing::HasSubstr("ranks 1, 2 of 3 did not come within"));
}

TEST(KeyStore, TheFirstRankIsNamedWhenNobodyListens) {
  const auto [said, error] = waiting_of(place_of(1, 2));
  EXPECT_THAT(error, testing::AllOf(testing::HasSubstr("rank 1 waited for"),
                                    testing::HasSubstr("for rank 0, which should listen at")));
}

}  // namespace
}  // namespace hearth
