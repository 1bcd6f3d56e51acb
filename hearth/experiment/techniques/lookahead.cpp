// Puts the network op `lookahead` behind a model's update.
#include "hearth/experiment/techniques/lookahead.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/experiment/rewrite.h"
#include "hearth/experiment/updates.h"

namespace hearth::techniques {
namespace {

class Lookahead : public Technique {
 public:
  using Options = LookaheadOptions;
  explicit Lookahead(Options options) : options_(std::move(options)) {}

  Node apply(const Node& config) const override {
    Node changed = config;
    const ListedUpdate update = update_of(changed, options_.model);
    for (const ListedComponent& known : components_named(changed, "network", "lookahead"))
      if (text_or(*known.options, "model", "net") == update.model)
        throw ConfigError("does not apply: the model " + quote(update.model) +
                          " looks ahead already, by " + known.label + ".");
    const Node op =
        component("lookahead", {{"model", Node::scalar(update.model)},
                                {"steps", Node::scalar(std::to_string(options_.steps))},
                                {"rate", Node::scalar(shortest_number(options_.rate))}});
    std::vector<Node>& ops = component_list(changed, "network").items();
    ops.insert(ops.begin() + static_cast<std::ptrdiff_t>(update.index) + 1, op);
    return changed;
  }

 private:
  Options options_;
};

}  // namespace

const Schema<LookaheadOptions>& LookaheadOptions::schema() {
  using O = LookaheadOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::steps, "steps", "Steps after which the parameters go back.", at_least(1))
          .field(&O::rate, "rate", "Share of the way that stays.", above(0), at_most(1))
          .field(&O::model, "model", "Which model. Left out: the only one that is moved.",
                 not_empty());
  return schema;
}

Choice<Technique> lookahead(LookaheadOptions options) {
  return choose<Technique>("lookahead", options);
}

void register_lookahead(Registry<Technique>& registry) {
  registry.add<Lookahead>("lookahead",
                          "Lets parameters go back a share of their way every few steps.");
}

}  // namespace hearth::techniques
