// How a process becomes a rank: the store, the secret, the watch, the connections.
#include "hearth/cluster/join.h"

#include <ATen/Version.h>
#include <torch/version.h>
#include <unistd.h>

#include <exception>
#include <thread>

#include "hearth/base/build_id.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/cluster/group_links.h"
#include "hearth/cluster/handshake.h"
#include "hearth/launch/cluster_error.h"
#include "hearth/launch/sockets.h"

namespace hearth {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kLookForRanks{50};
constexpr const char* kLoopback = "127.0.0.1";

void check_secret(const RankPlace& place, const JoinOptions& options) {
  if (!options.secret.empty() || is_loopback(place.host)) return;
  throw ConfigError("The ranks of this run are on several hosts (they meet at " + place.host +
                    "), and have no secret: any program of the network could join.\n  Next: give "
                    "all of them the same HEARTH_SECRET, or hearth launch --secret-file FILE.");
}

std::string here_key(int rank) { return "here/" + std::to_string(rank); }

std::vector<int> missing_ranks(KeyStore& store, const std::vector<int>& of) {
  std::vector<int> missing;
  for (const int rank : of)
    if (!store.has(here_key(rank))) missing.push_back(rank);
  return missing;
}

std::string ranks_text(const std::vector<int>& ranks) {
  std::vector<std::string> words;
  for (const int rank : ranks) words.push_back(std::to_string(rank));
  return (ranks.size() == 1 ? "rank " : "ranks ") + join(words, ", ");
}

void take_place(KeyStore& store, const RankPlace& place, const std::string& who) {
  const std::string rank = std::to_string(place.rank);
  if (store.count("taken/" + rank) > 1)
    throw ClusterError(
        "rank " + rank + " is taken already, by " +
        (store.has(here_key(place.rank)) ? store.get(here_key(place.rank)) : "another process") +
        ": two processes say that they are rank " + rank +
        ", or one was started again without a new attempt.\n  This one found its "
        "rank by " +
        place.contract + ".");
  Sign sign;
  sign.who = who;
  sign.doing = "starting";
  store.set("sign/" + rank, to_text(sign));
  store.set(here_key(place.rank), who);
}

void await_all(KeyStore& store, const RankPlace& place, const JoinOptions& options) {
  std::vector<int> missing;
  for (int rank = 0; rank < place.size; ++rank) missing.push_back(rank);
  const auto start = Clock::now();
  auto say_at = start + options.slow;
  while (!(missing = missing_ranks(store, missing)).empty()) {
    const double waited = std::chrono::duration<double>(Clock::now() - start).count();
    const std::string text = ranks_text(missing) + " of " + std::to_string(place.size);
    if (Clock::now() - start > options.start_timeout)
      throw ClusterError(text + " did not come within " + human_seconds(waited) +
                         ".\n  Next: look at their logs; all must meet at " + place.host + ":" +
                         std::to_string(place.port) + ".");
    if (Clock::now() > say_at) {
      options.say("rank " + std::to_string(place.rank) + " waits for " + text);
      say_at = Clock::now() + 2 * options.slow;
    }
    std::this_thread::sleep_for(kLookForRanks);
  }
}

// Which code computes: other code may give other bits.
std::string program_text() {
  static const int here = 0;
  return "Hearth " + build_id(&here) + ", LibTorch " TORCH_VERSION;
}

std::unique_ptr<Group> join_over(const OpenStore& open, const RankPlace& place,
                                 JoinOptions options) {
  if (!options.say) options.say = [](const std::string& text) { print_note(text); };
  const std::string who = host_name() + ", process " + std::to_string(::getpid());
  const std::unique_ptr<KeyStore> store = open(options.start_timeout);
  try {
    take_place(*store, place, who);
    await_all(*store, place, options);
    prove_secret(*store, place, options.secret);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw ClusterError("the store at " + place.host + ":" + std::to_string(place.port) +
                       " was lost while the ranks gathered: rank 0 ended (" + error.what() + ").");
  }
  const std::string address = is_loopback(place.host) ? kLoopback : address_towards(place.host);
  auto links = std::make_unique<Group::Links>();
  links->place = place;
  links->store = open;
  links->watch = std::make_shared<Watch>(open(options.silence), place, options, who);
  links->wire =
      Wire::connect(links->watch, open(options.start_timeout), place, address, options.patience);
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
