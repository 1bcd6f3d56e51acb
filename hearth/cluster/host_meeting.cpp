// The ranks of one host find each other.
#include "hearth/cluster/host_meeting.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "hearth/cluster/gathering.h"
#include "hearth/cluster/host_wire.h"
#include "hearth/cluster/join.h"
#include "hearth/cluster/key_store.h"
#include "hearth/cluster/shared_block.h"
#include "hearth/launch/rank_place.h"

namespace hearth {
namespace {

constexpr const char* kYes = "yes";
constexpr const char* kNo = "no";

std::string own_space(const char* kind) {
  std::error_code error;
  return std::filesystem::read_symlink(std::string("/proc/self/ns/") + kind, error).string();
}

// Alike where two processes can open each other's memory, and nobody means them to be two hosts:
// network namespaces are hosts of their own.
std::string own_host() {
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
  const std::string network = own_space("net");
  const std::string processes = own_space("pid");
  if (boot.empty() || network.empty() || processes.empty()) return "";
  return boot + " " + network + " " + processes + " " + std::to_string(::geteuid());
}

// What all ranks say, in their order.
std::vector<std::string> told(KeyStore& store, const RankPlace& place, const std::string& key,
                              const std::string& own, const JoinOptions& options) {
  store.set(key + std::to_string(place.rank), own);
  await_written(store, place, key, options);
  std::vector<std::string> all;
  for (int rank = 0; rank < place.size; ++rank)
    all.push_back(rank == place.rank ? own : store.get(key + std::to_string(rank)));
  return all;
}

}  // namespace

std::unique_ptr<HostWire> meet_on_host(KeyStore& store, const RankPlace& place,
                                       const JoinOptions& options) {
  const std::string host = options.shares_memory ? own_host() : "";
  const std::vector<std::string> hosts =
      told(store, place, "host/", host.empty() ? kNo : host, options);
  if (std::all_of(hosts.begin(), hosts.end(), [](const auto& said) { return said == kNo; }))
    return nullptr;
  std::vector<int> ranks;
  for (int rank = 0; rank < place.size; ++rank)
    if (hosts[static_cast<size_t>(rank)] == host) ranks.push_back(rank);
  const bool are_several = ranks.size() > 1;
  const bool is_first = are_several && ranks.front() == place.rank;

  std::unique_ptr<SharedBlock> block;
  if (is_first) block = SharedBlock::make(HostWire::bytes_for(ranks.size()));
  const std::vector<std::string> addresses =
      told(store, place, "memory/", block ? block->address() : kNo, options);
  if (are_several && !is_first)
    block = SharedBlock::open(addresses[static_cast<size_t>(ranks.front())]);
  const auto here = std::find(ranks.begin(), ranks.end(), place.rank) - ranks.begin();
  const bool shares = block && block->take_place(static_cast<int>(here));
  const std::vector<std::string> answers =
      told(store, place, "shares/", shares ? kYes : kNo, options);
  const auto can = [&](int rank) { return answers[static_cast<size_t>(rank)] == kYes; };
  if (!are_several || !std::all_of(ranks.begin(), ranks.end(), can)) return nullptr;
  return std::make_unique<HostWire>(std::move(block), ranks, place.rank);
}

}  // namespace hearth
