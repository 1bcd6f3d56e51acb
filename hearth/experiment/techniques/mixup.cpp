// Adds the batch op `mixup` for training, with the keys that the network reads.
#include "hearth/experiment/techniques/mixup.h"

#include <algorithm>

#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/experiment/class_losses.h"
#include "hearth/experiment/rewrite.h"

namespace hearth::techniques {
namespace {

// The second key of the loss.
std::string label_of(const Node& loss) {
  const Node* in = loss.find("in");
  return in != nullptr && in->items().size() == 2 ? in->items()[1].text() : "label";
}

class Mixup : public Technique {
 public:
  using Options = MixupOptions;
  explicit Mixup(Options options) : options_(std::move(options)) {}

  Node apply(const Node& config) const override {
    Node changed = config;
    if (const auto known = components_named(changed, "data.batch_ops", "mixup"); !known.empty())
      throw ConfigError("does not apply: samples are blended already, by " + known.front().label +
                        ".");
    const std::string label = label_of(*class_loss_of(changed, options_.loss).options);
    const Node op = component("mixup", {{"key", Node::scalar(key_of(changed))},
                                        {"label", Node::scalar(label)},
                                        {"alpha", Node::scalar(shortest_number(options_.alpha))},
                                        {"when", Node::scalar("train")}});
    component_list(changed, "data.batch_ops").items().push_back(op);
    return changed;
  }

 private:
  // What the calls read that no call writes.
  [[nodiscard]] std::string key_of(Node& config) const {
    if (options_.key) return *options_.key;
    std::vector<std::string> keys;
    for (const ListedComponent& call : components_named(config, "network", "call")) {
      const std::string key = text_or(*call.options, "in", "image");
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    }
    for (const ListedComponent& call : components_named(config, "network", "call"))
      std::erase(keys, text_or(*call.options, "out", "logits"));
    if (keys.size() == 1) return keys.front();
    throw ConfigError("does not know what to blend: the models read " +
                      (keys.empty() ? "nothing" : quoted_names(keys)) + ". Name one with `key`.");
  }

  Options options_;
};

}  // namespace

const Schema<MixupOptions>& MixupOptions::schema() {
  using O = MixupOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::alpha, "alpha",
                 "How strongly samples are blended: shares are drawn from Beta(alpha, alpha).",
                 above(0), at_most(1e6))
          .field(&O::key, "key", "What is blended. Left out: the only key that models read.",
                 not_empty())
          .field(&O::loss, "loss",
                 "Key of the cross_entropy whose labels are blended, too. Left out: of the only "
                 "one.",
                 not_empty());
  return schema;
}

Choice<Technique> mixup(MixupOptions options) { return choose<Technique>("mixup", options); }

void register_mixup(Registry<Technique>& registry) {
  registry.add<Mixup>("mixup", "Trains on blends of samples and of their labels.");
}

}  // namespace hearth::techniques
