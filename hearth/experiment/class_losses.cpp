// Losses by the key that they write.
#include "hearth/experiment/class_losses.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

ListedComponent class_loss_of(Node& config, const std::optional<std::string>& loss) {
  const std::vector<ListedComponent> losses = components_named(config, "network", "cross_entropy");
  if (losses.empty()) {
    const bool follows_target = !components_named(config, "network", "target_loss").empty();
    throw ConfigError(
        std::string("does not apply: the network has no cross_entropy, the loss it works with.") +
        (follows_target ? " Say `loss: cross_entropy`: one that is left out is chosen later, by "
                          "the target."
                        : ""));
  }
  if (!loss && losses.size() == 1) return losses.front();
  std::vector<std::string> keys;
  for (const ListedComponent& known : losses) {
    keys.push_back(text_or(*known.options, "out", "loss"));
    if (loss == keys.back()) return known;
  }
  if (!loss)
    throw ConfigError("does not know which loss to take: the network has " +
                      std::to_string(keys.size()) + " cross_entropy, " + quoted_names(keys) +
                      ". Name one with `loss`.");
  throw ConfigError("does not apply: no cross_entropy writes the key " + quote(*loss) + ", but " +
                    quoted_names(keys) + "." + did_you_mean(*loss, keys));
}

}  // namespace hearth
