// The forms of a config, and the way from what people write to what runs.
#include "hearth/experiment/expand.h"

#include <algorithm>
#include <map>

#include "hearth/base/text.h"
#include "hearth/config/chosen.h"
#include "hearth/config/forms.h"
#include "hearth/config/place.h"
#include "hearth/config/registry.h"
#include "hearth/experiment/loss_kinds.h"
#include "hearth/experiment/penalties.h"
#include "hearth/experiment/rewrite.h"
#include "hearth/experiment/techniques/supervised.h"

namespace hearth {
namespace {

// Where a key stands, or the whole map when it does not.
Mark mark_of(const Node& config, const char* key) {
  for (const Node::Entry& entry : config.entries())
    if (entry.key == key) return entry.mark;
  return config.mark();
}

template <size_t count>
bool has_any(const Node& config, const std::array<const char*, count>& keys) {
  return std::any_of(keys.begin(), keys.end(),
                     [&](const char* key) { return has_value(config, key); });
}

std::string missing_part(const std::string& part, const std::string& beside) {
  static const std::map<std::string, std::string> examples = {
      {"data.train", "data: {train: {digits: {split: train}}}"},
      {"model", "model: lenet"},
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
  const auto given = std::find_if(parts.begin(), parts.end(),
                                  [&](const char* part) { return has_value(config, part); });
  const std::string beside = given == parts.end() ? "" : *given;
  const Mark mark = beside.empty() ? config.mark() : config.find(beside)->mark();
  for (const char* part : parts)
    if (!has_value(config, part)) faults.push_back({mark, part, missing_part(part, beside)});
}

// Where the full form has what a part of the shorthand says.
std::string full_place(const std::string& shorthand) {
  if (shorthand == "model") return "models.<name>.build";
  if (shorthand == "optimizer" || shorthand == "weights" || shorthand == "average" ||
      shorthand == "groups" || shorthand == "decay" || shorthand == "edits" ||
      shorthand == "defaults" || shorthand == "place")
    return "models.<name>." + shorthand;
  return "network";
}

void add_both_forms(const Node& config, std::vector<Fault>& faults) {
  const std::string full = has_value(config, kFullForm[0]) ? kFullForm[0] : kFullForm[1];
  for (const std::string shorthand : kShorthand)
    if (has_value(config, shorthand.c_str()))
      faults.push_back({config.find(shorthand)->mark(), shorthand,
                        "the shorthand " + quote(shorthand) + " and the full form " + quote(full) +
                            " exclude each other. Keep one: in the full form it is `" +
                            full_place(shorthand) + "`, as `hearth show` writes it."});
}

// Nodes from nowhere come from the technique.
void mark_unmarked(Node& node, const Mark& mark) {
  const auto is_unmarked = [](const Mark& held) { return !held.file && !held.path; };
  if (is_unmarked(node.mark())) node.set_mark(mark);
  for (Node& item : node.items()) mark_unmarked(item, mark);
  for (Node::Entry& entry : node.entries()) {
    if (is_unmarked(entry.mark)) entry.mark = mark;
    mark_unmarked(entry.value, mark);
  }
}

Node applied(const Choice<Technique>& choice, const Mark& mark, const Node& config) {
  const auto technique = registry<Technique>().make(choice);
  Node options = choice.options();
  options.set_mark(mark);
  Node made = at_option_of(options, [&] { return technique->apply(config); });
  mark_unmarked(made, mark);
  return made;
}

std::vector<Node> techniques_of(const Node& config) {
  const Node* asked = config.find("techniques");
  if (asked == nullptr || asked->is_null()) return {};
  return asked->is_list() ? asked->items() : std::vector<Node>{*asked};
}

}  // namespace

std::vector<Fault> check_form(const Node& config, ConfigScope scope) {
  std::vector<Fault> faults;
  const bool is_full = has_any(config, kFullForm);
  const bool is_shorthand = has_any(config, kShorthand);
  if (is_full && is_shorthand) add_both_forms(config, faults);
  if (is_full && !is_shorthand) add_missing(config, kFullForm, faults);
  if (!is_full && (is_shorthand || scope == ConfigScope::kWhole))
    add_missing(config, kShorthandNeeds, faults);
  const Node* data = config.find("data");
  if (data == nullptr || !has_value(*data, "train"))
    faults.push_back({mark_of(config, "data"), "data.train", missing_part("data.train", "")});
  return faults;
}

Node expand(const Node& config) {
  Node full = applied(techniques::supervised(), config.mark(), config);
  full = with_layer_penalties(std::move(full));
  mark_unmarked(full, config.mark());
  const std::vector<Node> asked = techniques_of(full);
  full.erase("techniques");
  for (const Node& item : asked) {
    const std::optional<Chosen> chosen = chosen_component(item);
    const Mark mark = item.is_scalar() ? chosen->mark.below(chosen->name) : chosen->mark;
    full = applied({chosen->name, chosen->options}, mark, full);
  }
  return with_parts_measured(std::move(full));
}

Node without_shorthand(Node config) {
  for (const char* key : kShorthand) config.erase(key);
  return config;
}

}  // namespace hearth
