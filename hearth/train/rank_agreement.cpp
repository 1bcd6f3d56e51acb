// What the processes that train together must have alike before the first step.
#include "hearth/train/rank_agreement.h"

#include "hearth/base/text.h"
#include "hearth/cluster/group.h"
#include "hearth/config/differences.h"
#include "hearth/config/yaml.h"
#include "hearth/format/json.h"
#include "hearth/launch/cluster_error.h"
#include "hearth/train/data_fingerprints.h"

namespace hearth {

void agree_on_config(Group& group, const Node& effective) {
  Node own = effective;
  if (Node* cluster = own.find("cluster"); cluster != nullptr && cluster->is_map())
    cluster->erase("task");
  own.erase("folder");  // where the first keeps the run
  const std::vector<std::string> all = group.gather("comparing configs", to_yaml(own));
  const Node first = parse_yaml(all[0], "rank 0");
  for (size_t rank = 1; rank < all.size(); ++rank) {
    const std::string name = "rank " + std::to_string(rank);
    const std::vector<std::string> differences =
        config_differences(first, parse_yaml(all[rank], name));
    if (!differences.empty())
      throw ClusterError("rank 0 and " + name + " differ in the config (rank 0's then, " + name +
                         "'s now):\n  " + join(differences, "\n  ") +
                         "\n  Next: start all ranks with the same.");
  }
}

void agree_on_data(Group& group, std::map<std::string, std::shared_ptr<Source>> sources) {
  group.doing("reading the data's fingerprints");
  const DataFingerprints fingerprints(std::move(sources));
  for (const auto& [set, fingerprint] : fingerprints.values().items())
    group.agree("data of " + set,
                fingerprint.is_string() ? fingerprint.get<std::string>() : json_line(fingerprint));
}

}  // namespace hearth
