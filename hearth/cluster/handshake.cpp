// Ranks prove to each other that they know the same secret.
#include "hearth/cluster/handshake.h"

#include "hearth/base/text.h"
#include "hearth/cluster/gathering.h"
#include "hearth/cluster/join.h"
#include "hearth/cluster/key_store.h"
#include "hearth/launch/cluster_error.h"
#include "hearth/launch/hmac.h"
#include "hearth/launch/rank_place.h"

namespace hearth {
namespace {

constexpr size_t kNumberBytes = 32;

std::string key_of(const char* name, int rank) { return name + std::to_string(rank); }

}  // namespace

void prove_secret(KeyStore& store, const RankPlace& place, const JoinOptions& options) {
  store.set(key_of("number/", place.rank), random_hex(kNumberBytes));
  await_written(store, place, "number/", options);
  std::string numbers = place.attempt + "\n";
  for (int rank = 0; rank < place.size; ++rank)
    numbers += store.get(key_of("number/", rank)) + "\n";
  const auto proof_of = [&](int rank) {
    return hmac_sha256(options.secret, "rank " + std::to_string(rank) + "\n" + numbers);
  };
  store.set(key_of("proof/", place.rank), proof_of(place.rank));
  await_written(store, place, "proof/", options);
  std::vector<std::string> strangers;
  for (int rank = 0; rank < place.size; ++rank)
    if (!is_same_proof(store.get(key_of("proof/", rank)), proof_of(rank)))
      strangers.push_back("rank " + std::to_string(rank));
  if (!strangers.empty())
    throw ClusterError(
        "rank " + std::to_string(place.rank) + " and " + join(strangers, ", ") +
        " do not have the same secret.\n  Next: give all ranks the same HEARTH_SECRET "
        "or --secret-file.");
}

}  // namespace hearth
