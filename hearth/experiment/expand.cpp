// The shorthand (`model`, `loss`, `optimizer`) written out as `models` and `network`.
#include "hearth/experiment/expand.h"

#include <algorithm>
#include <map>

#include "hearth/base/text.h"
#include "hearth/config/forms.h"

namespace hearth {
namespace {

constexpr const char* kModelName = "net";

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
  if (entry.value.find(option) != nullptr) return map;
  Node marked = value;
  marked.set_mark(entry.mark);
  entry.value.set(option, std::move(marked));
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
  for (const char* part : {"average", "edits", "groups", "decay"})
    if (has(config, part)) options.set(part, *config.find(part));
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

template <size_t count>
bool has_any(const Node& config, const std::array<const char*, count>& keys) {
  return std::any_of(keys.begin(), keys.end(), [&](const char* key) { return has(config, key); });
}

std::string missing_part(const std::string& part, const std::string& beside) {
  static const std::map<std::string, std::string> examples = {
      {"data.train", "data: {train: {digits: {split: train}}}"},
      {"model", "model: lenet"},
      {"loss", "loss: cross_entropy"},
      {"optimizer", "optimizer: adamw"},
      {"models", "models: {net: {build: lenet, optimizer: adamw}}"},
      {"network",
       "network: [{call: {model: net, in: image, out: logits}}, cross_entropy, update]"}};
  return "is required" + (beside.empty() ? "" : " beside " + quote(beside)) +
         ", but missing. For instance `" + examples.at(part) + "`.";
}

// All that a form still needs, each at the part of it that is there.
template <size_t count>
void add_missing(const Node& config, const std::array<const char*, count>& parts,
                 std::vector<Fault>& faults) {
  const auto given =
      std::find_if(parts.begin(), parts.end(), [&](const char* part) { return has(config, part); });
  const std::string beside = given == parts.end() ? "" : *given;
  const Mark mark = beside.empty() ? config.mark() : config.find(beside)->mark();
  for (const char* part : parts)
    if (!has(config, part)) faults.push_back({mark, part, missing_part(part, beside)});
}

void add_both_forms(const Node& config, std::vector<Fault>& faults) {
  const std::string full = has(config, kFullForm[0]) ? kFullForm[0] : kFullForm[1];
  for (const std::string shorthand : kShorthand)
    if (has(config, shorthand.c_str()))
      faults.push_back({config.find(shorthand)->mark(), shorthand,
                        "the shorthand " + quote(shorthand) + " and the full form " + quote(full) +
                            " exclude each other. Keep one; `hearth show` writes the shorthand "
                            "out."});
}

}  // namespace

std::vector<Fault> check_form(const Node& config) {
  std::vector<Fault> faults;
  const bool is_full = has_any(config, kFullForm);
  const bool is_shorthand = has_any(config, kShorthand);
  if (is_full && is_shorthand) add_both_forms(config, faults);
  if (is_full && !is_shorthand) add_missing(config, kFullForm, faults);
  if (!is_full) add_missing(config, kShorthandNeeds, faults);
  const Node* data = config.find("data");
  if (data == nullptr || !has(*data, "train"))
    faults.push_back({mark_of(config, "data"), "data.train", missing_part("data.train", "")});
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
