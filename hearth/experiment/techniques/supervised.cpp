// The shorthand (`model`, `loss`, `optimizer`, `metrics`) written out as `models` and `network`.
#include "hearth/experiment/techniques/supervised.h"

#include "hearth/config/registry.h"
#include "hearth/experiment/expand.h"
#include "hearth/experiment/rewrite.h"

namespace hearth::techniques {
namespace {

constexpr const char* kModelName = "net";

// Gives the component's option a value unless it has one.
Node with_option(const Node& choice, const std::string& option, const Node& value) {
  Node map = as_component(choice);
  if (!map.is_map() || map.entries().empty()) return map;
  auto& entry = map.entries().front();
  if (entry.value.find(option) != nullptr) return map;
  entry.value.set(option, with_mark(value, entry.mark));
  return map;
}

Node expanded_models(const Node& config, const Node& model) {
  Node options = Node::map({}, model.mark());
  options.set("build", as_component(model));
  if (const Node* optimizer = config.find("optimizer"))
    options.set("optimizer", as_component(*optimizer));
  for (const char* part : {"weights", "average", "edits", "groups", "decay"})
    if (has_value(config, part)) options.set(part, *config.find(part));
  return Node::map({{kModelName, model.mark(), std::move(options)}}, model.mark());
}

Node expanded_network(const Node& config, const Node& model, const std::string& target) {
  const Mark& mark = model.mark();
  std::vector<Node> ops;
  ops.push_back(component("call",
                          {{"model", Node::scalar(kModelName)},
                           {"in", Node::scalar(text_or(config, "input", "image"))},
                           {"out", Node::scalar("logits")}},
                          mark));
  if (const Node* loss = config.find("loss"))
    ops.push_back(with_option(*loss, "in", text_list({"logits", target})));
  ops.push_back(component("softmax",
                          {{"in", Node::scalar("logits")},
                           {"out", Node::scalar("probability")},
                           {"when", Node::scalar("infer")}},
                          mark));
  const Node* optimizer = config.find("optimizer");
  if (optimizer != nullptr)
    ops.push_back(component("update",
                            {{"model", Node::scalar(kModelName)}, {"loss", Node::scalar("loss")}},
                            optimizer->mark()));
  return Node::list(std::move(ops), mark);
}

Node expanded_metrics(const Node& config, const Node& model, const std::string& target) {
  std::vector<Node> metrics;
  metrics.push_back(component(
      "loss", {{"in", Node::scalar("loss")}, {"weight_by", Node::scalar(target)}}, model.mark()));
  const Node* given = config.find("metrics");
  if (given == nullptr || given->is_null()) return Node::list(std::move(metrics), model.mark());
  const std::vector<Node> single = {*given};
  for (const Node& metric : given->is_list() ? given->items() : single) {
    const Node choice = as_component(metric);
    const bool is_loss = choice.is_map() && choice.find("loss") != nullptr;
    if (is_loss)
      metrics.front() = with_option(metric, "weight_by", Node::scalar(target));
    else
      metrics.push_back(with_option(metric, "in", text_list({"logits", target})));
  }
  return Node::list(std::move(metrics), given->mark());
}

class Supervised : public Technique {
 public:
  using Options = SupervisedOptions;
  explicit Supervised(Options) {}

  // A config in full form stays as it is. What is made up carries the mark of what it stands for.
  Node apply(const Node& config) const override {
    if (!has_value(config, "model")) return config;
    const Node model = *config.find("model");
    const std::string target = text_or(config, "target", "label");
    Node full = config;
    full.set("models", expanded_models(config, model));
    full.set("network", expanded_network(config, model, target));
    full.set("metrics", expanded_metrics(config, model, target));
    return without_shorthand(std::move(full));
  }
};

}  // namespace

const Schema<SupervisedOptions>& SupervisedOptions::schema() {
  static const auto schema = Schema<SupervisedOptions>();
  return schema;
}

Choice<Technique> supervised(SupervisedOptions options) {
  return choose<Technique>("supervised", options);
}

void register_supervised(Registry<Technique>& registry) {
  registry.add<Supervised>("supervised",
                           "Writes the shorthand for one model out; comes first by itself.");
}

}  // namespace hearth::techniques
