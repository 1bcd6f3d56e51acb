// The shorthand (`model`, `loss`, `optimizer`, `metrics`) written out as `models` and `network`.
#include "hearth/experiment/techniques/supervised.h"

#include <algorithm>
#include <array>

#include "hearth/config/registry.h"
#include "hearth/experiment/expand.h"
#include "hearth/experiment/loss_kinds.h"
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
  for (const char* part : {"weights", "average", "edits", "defaults", "groups", "decay", "place"})
    if (has_value(config, part)) options.set(part, *config.find(part));
  return Node::map({{kModelName, model.mark(), std::move(options)}}, model.mark());
}

Node update_of(const std::string& model, const Mark& mark) {
  return component("update", {{"model", Node::scalar(model)}, {"loss", Node::scalar("loss")}},
                   mark);
}

// What makes predictions of scores, in prediction; nothing where they are predictions already.
std::optional<Node> expanded_prediction(const Node& config, const Mark& mark,
                                        const std::string& target) {
  const Node in = Node::scalar("logits");
  const Node when = Node::scalar("infer");
  if (!has_value(config, "loss"))
    return component("prediction",
                     {{"in", in},
                      {"target", Node::scalar(target)},
                      {"out", Node::scalar("probability")},
                      {"when", when}},
                     mark);
  const ScoreKind kind = score_kind(as_component(*config.find("loss")));
  if (kind == ScoreKind::kValues) return std::nullopt;
  return component(kind == ScoreKind::kClasses ? "softmax" : "sigmoid",
                   {{"in", in}, {"out", Node::scalar("probability")}, {"when", when}}, mark);
}

// Scores that are predictions already are what `predict` gives, unless it says other.
void expand_predicted(Node& config) {
  Node predict = has_value(config, "predict") ? *config.find("predict") : Node::map();
  if (!predict.is_map() || text_or(predict, "out", "probability") != "probability") return;
  predict.set("out", Node::scalar("logits"));
  config.set("predict", predict);
}

Node expanded_network(const Node& config, const Node& model, const std::string& target) {
  const Mark& mark = model.mark();
  std::vector<Node> ops;
  ops.push_back(component("call",
                          {{"model", Node::scalar(kModelName)},
                           {"in", Node::scalar(text_or(config, "input", "image"))},
                           {"out", Node::scalar("logits")}},
                          mark));
  const bool is_given = has_value(config, "loss");
  const Node loss = is_given ? *config.find("loss") : component("target_loss", {}, mark);
  ops.push_back(with_option(loss, "in", text_list({"logits", target})));
  const std::string own_model = own_model_of(ops.back());
  if (!own_model.empty()) ops.back() = with_option(ops.back(), "out", Node::scalar("loss"));
  if (const auto prediction = expanded_prediction(config, mark, target)) ops.push_back(*prediction);
  if (const Node* optimizer = config.find("optimizer"))
    ops.push_back(update_of(kModelName, optimizer->mark()));
  if (!own_model.empty()) ops.push_back(update_of(own_model, loss.mark()));
  return Node::list(std::move(ops), mark);
}

// Whether a metric compares what the model says with the target, as most do.
bool compares_with_target(const Node& choice) {
  constexpr std::array kOthers = {"coco_map", "expression", "running"};
  return std::none_of(kOthers.begin(), kOthers.end(), [&](const char* name) {
    return choice.is_map() && choice.find(name) != nullptr;
  });
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
    else if (compares_with_target(choice))
      metrics.push_back(with_option(metric, "in", text_list({"logits", target})));
    else
      metrics.push_back(choice);
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
    if (!expanded_prediction(config, model.mark(), target)) expand_predicted(full);
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
