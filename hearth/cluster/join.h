// How a process becomes a rank.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "hearth/launch/rank_place.h"

namespace hearth {

class Group;
struct ClusterOptions;

struct JoinOptions {
  std::chrono::milliseconds start_timeout{300'000};  // until all ranks are there
  std::chrono::milliseconds silence{12'000};  // a rank without a sign of life for so long is lost
  std::chrono::milliseconds slow{10'000};     // who keeps the others waiting for so long is named
  std::chrono::milliseconds patience{1'800'000};  // and after so long the run ends
  bool shares_memory = false;  // among ranks of one host; else they send over loopback
  std::string secret;          // what every rank must know; may be empty on loopback
  std::function<void(const std::string&)> say;  // who is slow; standard error if not given
};

// Blocks until all ranks of `place` are there and have proved that they know the secret.
[[nodiscard]] std::unique_ptr<Group> join_group(const RankPlace& place, JoinOptions options);

// The group of this process: by the variables its launcher left (hearth/launch), joined by the
// first who asks, kept to the end of the process. A group of one where nothing launched it.
[[nodiscard]] std::shared_ptr<Group> own_group(const ClusterOptions* cluster = nullptr);

// Runs `body` on `size` threads, each a rank of a group in this process. The first error of any
// comes out of it. For tests.
void with_ranks(int size, const std::function<void(Group&)>& body, JoinOptions options = {});

}  // namespace hearth
