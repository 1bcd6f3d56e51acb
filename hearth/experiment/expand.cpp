// The shorthand (`model`, `loss`, `optimizer`) written out as `models` and `network`.
#include "hearth/experiment/expand.h"

#include "hearth/base/text.h"

namespace hearth {
namespace {

constexpr const char* kModelName = "net";
constexpr const char* kShorthand[] = {"model", "loss", "optimizer", "average", "input", "target"};

bool has(const Node& config, const char* key) {
  const Node* node = config.find(key);
  return node != nullptr && !node->is_null();
}

// A choice as a map {name: options}, whichever way it was written.
Node as_choice_map(const Node& choice) {
  if (!choice.is_scalar()) return choice;
  return Node::map({{choice.text(), choice.mark(), Node::map({}, choice.mark())}}, choice.mark());
}

// {name: {option: value, ...}} with every option's mark set to `mark`.
Node component(const std::string& name, const std::vector<std::pair<std::string, Node>>& options,
               const Mark& mark) {
  Node map = Node::map({}, mark);
  for (const auto& [key, value] : options) {
    Node marked = value;
    marked.set_mark(mark);
    map.set(key, std::move(marked));
  }
  return Node::map({{name, mark, std::move(map)}}, mark);
}

Node text_list(const std::vector<std::string>& texts) {
  std::vector<Node> items;
  for (const std::string& text : texts) items.push_back(Node::scalar(text));
  return Node::list(std::move(items));
}

// Gives the component's option a value unless it has one.
Node with_option(const Node& choice, const std::string& option, const Node& value) {
  Node map = as_choice_map(choice);
  if (!map.is_map() || map.entries().empty()) return map;
  auto& entry = map.entries().front();
  if (entry.value.is_null()) entry.value = Node::map({}, entry.mark);
  if (entry.value.find(option) == nullptr) entry.value.set(option, value);
  return map;
}

std::string text_or(const Node& config, const char* key, const char* otherwise) {
  const Node* node = config.find(key);
  return node != nullptr && node->is_scalar() ? node->text() : otherwise;
}

Node expanded_models(const Node& config, const Node& model) {
  Node options = Node::map({}, model.mark());
  options.set("build", as_choice_map(model));
  if (const Node* optimizer = config.find("optimizer"))
    options.set("optimizer", as_choice_map(*optimizer));
  if (has(config, "average")) options.set("average", *config.find("average"));
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
    const Node choice = as_choice_map(metric);
    const bool is_loss = choice.is_map() && choice.find("loss") != nullptr;
    if (is_loss)
      metrics.front() = with_option(metric, "weight_by", Node::scalar(target));
    else
      metrics.push_back(with_option(metric, "in", text_list({"logits", target})));
  }
  return Node::list(std::move(metrics), given->mark());
}

// Where a key stands, or the whole map when it does not.
Mark mark_of(const Node& config, const char* key) {
  for (const Node::Entry& entry : config.entries())
    if (entry.key == key) return entry.mark;
  return config.mark();
}

}  // namespace

std::vector<Fault> check_form(const Node& config) {
  std::vector<Fault> faults;
  auto fault = [&](const Mark& mark, const std::string& path, const std::string& message) {
    faults.push_back({mark, path, message});
  };
  for (const char* full : {"models", "network"})
    for (const char* shorthand : kShorthand)
      if (has(config, full) && has(config, shorthand))
        fault(config.find(shorthand)->mark(), shorthand,
              "the shorthand '" + std::string(shorthand) + "' and the full form '" + full +
                  "' exclude each other. Keep one; `hearth show` writes the shorthand out.");
  if (has(config, "model"))
    for (const char* needed : {"loss", "optimizer"})
      if (!has(config, needed) && !has(config, "network"))
        fault(config.find("model")->mark(), needed,
              "is required beside 'model', but missing. For instance " +
                  std::string(needed == std::string("loss") ? "`loss: cross_entropy`."
                                                            : "`optimizer: adamw`."));
  if (!has(config, "model") && !has(config, "models"))
    fault(config.mark(), "model", "is required, but missing. For instance `model: lenet`.");
  const Node* data = config.find("data");
  if (data == nullptr || !has(*data, "train"))
    fault(mark_of(config, "data"), "data.train",
          "is required, but missing. For instance `data: {train: {digits: {split: train}}}`.");
  return faults;
}

Node expand(const Node& config) {
  if (!has(config, "model")) return config;
  const Node model = *config.find("model");
  const std::string target = text_or(config, "target", "label");
  Node full = config;
  full.set("models", expanded_models(config, model));
  full.set("network", expanded_network(config, model, target));
  full.set("metrics", expanded_metrics(config, model, target));
  return without_shorthand(std::move(full));
}

Node without_shorthand(Node config) {
  for (const char* key : kShorthand) config.erase(key);
  return config;
}

}  // namespace hearth
