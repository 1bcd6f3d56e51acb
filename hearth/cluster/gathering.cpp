// Ranks wait for each other at the start.
#include "hearth/cluster/gathering.h"

#include <thread>
#include <vector>

#include "hearth/base/text.h"
#include "hearth/cluster/join.h"
#include "hearth/cluster/key_store.h"
#include "hearth/cluster/wait_notes.h"
#include "hearth/launch/cluster_error.h"
#include "hearth/launch/rank_place.h"
#include "hearth/launch/signs.h"

namespace hearth {
namespace {

constexpr std::chrono::milliseconds kLookForRanks{50};
constexpr std::chrono::milliseconds kLookForAnswers{5};
constexpr const char* kHere = "here/";

std::string key_of(const std::string& name, int rank) { return name + std::to_string(rank); }

std::vector<int> all_ranks(const RankPlace& place) {
  std::vector<int> all;
  for (int rank = 0; rank < place.size; ++rank) all.push_back(rank);
  return all;
}

std::vector<int> missing_ranks(KeyStore& store, const std::string& key,
                               const std::vector<int>& of) {
  std::vector<int> missing;
  for (const int rank : of)
    if (!store.has(key_of(key, rank))) missing.push_back(rank);
  return missing;
}

std::string ranks_text(const std::vector<int>& ranks) {
  std::vector<std::string> words;
  for (const int rank : ranks) words.push_back(std::to_string(rank));
  return (ranks.size() == 1 ? "rank " : "ranks ") + join(words, ", ");
}

std::string store_text(const RankPlace& place) {
  return place.host + ":" + std::to_string(place.port);
}

std::string waiting_text(const RankPlace& place, const std::string& missing) {
  return "rank " + std::to_string(place.rank) + " waits for " + missing + ", at the start (" +
         store_text(place) + ")";
}

}  // namespace

void take_place(KeyStore& store, const RankPlace& place, const std::string& who) {
  const std::string rank = std::to_string(place.rank);
  const std::string here = key_of(kHere, place.rank);
  // Reading is what is given up when nobody answers, and what is asked later then is too.
  store.set("reached/" + rank, "");
  (void)store.get("reached/" + rank);
  if (store.count("taken/" + rank) > 1)
    throw ClusterError("rank " + rank + " is taken already, by " +
                       (store.has(here) ? store.get(here) : "another process") +
                       ": two processes say that they are rank " + rank +
                       ", or one was started again without a new attempt.\n  This one found its "
                       "rank by " +
                       place.contract + ".");
  Sign sign;
  sign.who = who;
  sign.doing = "starting";
  store.set("sign/" + rank, to_text(sign));
  store.set(here, who);
}

void await_all(KeyStore& store, const RankPlace& place, const JoinOptions& options) {
  WaitNotes notes(options.say, options.slow);
  std::vector<int> missing = all_ranks(place);
  while (!(missing = missing_ranks(store, kHere, missing)).empty()) {
    const std::string text = ranks_text(missing) + " of " + std::to_string(place.size);
    if (notes.waited() > options.start_timeout)
      throw ClusterError(text + " did not come within " + human_seconds(notes.seconds()) +
                         ".\n  Next: look at their logs; all must meet at " + store_text(place) +
                         ".");
    notes.tell([&] { return waiting_text(place, text); });
    std::this_thread::sleep_for(kLookForRanks);
  }
}

void await_written(KeyStore& store, const RankPlace& place, const std::string& key,
                   const JoinOptions& options) {
  WaitNotes notes(options.say, options.slow);
  std::vector<int> missing = all_ranks(place);
  const auto names = [&] {
    std::vector<std::string> all;
    for (const int rank : missing) {
      Sign sign;
      if (store.has(key_of(kHere, rank))) sign.who = store.get(key_of(kHere, rank));
      all.push_back(rank_text(rank, sign));
    }
    return join(all, ", ");
  };
  while (!(missing = missing_ranks(store, key, missing)).empty()) {
    if (notes.waited() > options.silence)
      throw ClusterError(names() + " came, but has been silent for " +
                         human_seconds(notes.seconds()) +
                         " since: it was killed, is stopped, or cannot be reached; it was doing: "
                         "starting");
    notes.tell([&] { return waiting_text(place, names()); });
    std::this_thread::sleep_for(kLookForAnswers);
  }
}

}  // namespace hearth
