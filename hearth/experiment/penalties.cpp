// Prices on weights in a config.
#include "hearth/experiment/penalties.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/experiment/rewrite.h"
#include "hearth/experiment/updates.h"

namespace hearth {
namespace {

void check_penalty_name(Node& config, const std::string& name) {
  for (const ListedComponent& known : components_named(config, "network", "weight_penalty"))
    if (text_or(*known.options, "out", "penalty") == name)
      throw ConfigError("does not apply: " + known.label + " writes " + quote(name) +
                        " already. Give this one another `name`.");
}

// As the loss is, batches counted by the same key.
void log_penalty(Node& config, const std::string& name) {
  const auto losses = components_named(config, "metrics", "loss");
  const std::string rows =
      losses.empty() ? "label" : text_or(*losses.front().options, "weight_by", "label");
  component_list(config, "metrics")
      .items()
      .push_back(component("loss", {{"in", Node::scalar(name)},
                                    {"weight_by", Node::scalar(rows)},
                                    {"out", Node::scalar(name)},
                                    {"when", Node::scalar("train")}}));
}

bool mentions(const Node& node, const std::string& option) {
  const Node* value = node.find(option);
  if (value != nullptr && value->is_map() && !value->entries().empty()) return true;
  const auto is_inside = [&](const Node& inner) { return mentions(inner, option); };
  return std::any_of(node.items().begin(), node.items().end(), is_inside) ||
         std::any_of(node.entries().begin(), node.entries().end(),
                     [&](const Node::Entry& entry) { return is_inside(entry.value); });
}

bool has_layer_penalty(Node& config, const std::string& model) {
  const auto known = components_named(config, "network", "weight_penalty");
  return std::any_of(known.begin(), known.end(), [&](const ListedComponent& penalty) {
    return text_or(*penalty.options, "model", "net") == model &&
           text_or(*penalty.options, "of_layers", "false") == "true";
  });
}

}  // namespace

void add_penalty(Node& config, const NewPenalty& penalty) {
  check_penalty_name(config, penalty.name);
  const ListedUpdate update = update_of(config, penalty.model);
  const std::string loss = update.loss;
  const std::string total = loss + "_with_" + penalty.name;
  update.options->set("loss", Node::scalar(total));
  std::vector<std::pair<std::string, Node>> options = {{"model", Node::scalar(update.model)}};
  options.insert(options.end(), penalty.options.begin(), penalty.options.end());
  options.emplace_back("in", Node::scalar(loss));
  options.emplace_back("out", text_list({penalty.name, total}));
  std::vector<Node>& ops = component_list(config, "network").items();
  ops.insert(ops.begin() + static_cast<std::ptrdiff_t>(update.index),
             component("weight_penalty", options));
  log_penalty(config, penalty.name);
}

Node with_layer_penalties(Node config) {
  const Node* models = config.find("models");
  if (models == nullptr) return config;
  const std::vector<Node::Entry> all = models->entries();
  for (const Node::Entry& model : all) {
    if (!mentions(model.value, "regularize") || has_layer_penalty(config, model.key)) continue;
    const std::string name = (all.size() == 1 ? "" : model.key + "_") + "layer_penalty";
    add_penalty(config, {name, model.key, {{"of_layers", Node::scalar("true")}}});
  }
  return config;
}

}  // namespace hearth
