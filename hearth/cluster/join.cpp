// How a process becomes a rank: the store, the secret, the watch, the connections.
#include "hearth/cluster/join.h"

#include <ATen/Version.h>
#include <torch/version.h>
#include <unistd.h>

#include <exception>
#include <thread>

#include "hearth/base/build_id.h"
#include "hearth/base/terminal.h"
#include "hearth/cluster/gathering.h"
#include "hearth/cluster/group_links.h"
#include "hearth/cluster/handshake.h"
#include "hearth/cluster/host_meeting.h"
#include "hearth/cluster/host_wire.h"
#include "hearth/launch/cluster_error.h"
#include "hearth/launch/sockets.h"

namespace hearth {
namespace {

constexpr const char* kLoopback = "127.0.0.1";

void check_secret(const RankPlace& place, const JoinOptions& options) {
  if (!options.secret.empty() || is_loopback(place.host)) return;
  throw ConfigError("The ranks of this run are on several hosts (they meet at " + place.host +
                    "), and have no secret: any program of the network could join.\n  Next: give "
                    "all of them the same HEARTH_SECRET, or hearth launch --secret-file FILE.");
}

// Which code computes: other code may give other bits.
std::string program_text() {
  static const int here = 0;
  return "Hearth " + build_id(&here) + ", LibTorch " TORCH_VERSION;
}

// Whatever the store says: it is rank 0 that is gone.
template <class Act>
void while_gathering(const RankPlace& place, const Act& act) {
  try {
    act();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw ClusterError("the store at " + place.host + ":" + std::to_string(place.port) +
                       " was lost while the ranks gathered: rank 0 ended, is stopped, or cannot "
                       "be reached (" +
                       error.what() + ").");
  }
}

std::unique_ptr<Group> join_over(const OpenStore& open, const RankPlace& place,
                                 JoinOptions options) {
  if (!options.say) options.say = [](const std::string& text) { print_note(text); };
  const std::string who = host_name() + ", process " + std::to_string(::getpid());
  auto links = std::make_unique<Group::Links>();
  links->place = place;
  links->store = open;
  while_gathering(place, [&] {
    // Of its own, for the watch's patience: a store that no longer answers is not waited for.
    const std::unique_ptr<KeyStore> store = open(options.silence);
    take_place(*store, place, who);
    await_all(*store, place, options);
    prove_secret(*store, place, options);
    std::unique_ptr<HostWire> host = meet_on_host(*store, place, options);
    const std::string address = is_loopback(place.host) ? kLoopback : address_towards(place.host);
    links->watch = std::make_shared<Watch>(open(options.silence), place, options, who);
    links->wire = Wire::connect(links->watch, open(options.start_timeout), std::move(host), place,
                                address, options.patience);
  });
  auto group = std::make_unique<Group>(std::move(links));
  group->agree("program", program_text());
  return group;
}

}  // namespace

std::unique_ptr<Group> join_group(const RankPlace& place, JoinOptions options) {
  if (place.size == 1) return std::make_unique<Group>();
  check_secret(place, options);
  if (!options.say) options.say = [](const std::string& text) { print_note(text); };
  const OpenStore open = open_tcp_store(place, options.start_timeout, options.say);
  return join_over(open, place, std::move(options));
}

void with_ranks(int size, const std::function<void(Group&)>& body, JoinOptions options) {
  const OpenStore open = open_hash_store();
  std::vector<std::exception_ptr> errors(static_cast<size_t>(size));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      RankPlace place;
      place.rank = rank;
      place.size = size;
      std::unique_ptr<Group> group = std::make_unique<Group>();
      try {
        if (size > 1) group = join_over(open, place, options);
        body(*group);
        group->leave();
      } catch (const std::exception& error) {
        errors[static_cast<size_t>(rank)] = std::current_exception();
        group->fail(error.what());
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

}  // namespace hearth
