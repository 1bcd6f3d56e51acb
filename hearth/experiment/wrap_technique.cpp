// What techniques share that put small layers around those of a model.
#include "hearth/experiment/wrap_technique.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/experiment/rewrite.h"

namespace hearth {
namespace {

bool has_wrap(const Node& edits, const std::string& layer) {
  for (const Node& edit : edits.items()) {
    const Node* wrap = edit.find("wrap");
    const Node* with = wrap != nullptr ? wrap->find("with") : nullptr;
    if (with == nullptr) continue;
    if (with->is_scalar() ? with->text() == layer : with->find(layer) != nullptr) return true;
  }
  return false;
}

// The option's list, made when it is not there; a lone value becomes the first item.
Node& list_of(Node& options, const std::string& option) {
  Node* list = options.find(option);
  if (list == nullptr || list->is_null()) {
    options.set(option, Node::list({}));
  } else if (!list->is_list()) {
    const Node alone = *list;
    options.set(option, Node::list({alone}));
  }
  return *options.find(option);
}

}  // namespace

std::string trained_model(const Node& config, const std::optional<std::string>& named,
                          const std::string& purpose) {
  const Node* models = config.find("models");
  std::vector<std::string> names;
  if (models != nullptr)
    for (const Node::Entry& entry : models->entries())
      if (has_value(entry.value, "optimizer")) names.push_back(entry.key);
  if (names.empty())
    throw ConfigError("does not apply: no model has an optimizer " + purpose + ".");
  if (!named && names.size() == 1) return names.front();
  if (!named)
    throw ConfigError("does not know which model to take: " + quoted_names(names) +
                      " are trained. Name one with `model`.");
  for (const std::string& name : names)
    if (name == *named) return name;
  throw ConfigError("does not apply: there is no trained model " + quote(*named) + "." +
                    did_you_mean(*named, names));
}

Node with_wrapped_layers(const Node& config, const Wrapping& wrapping) {
  Node changed = config;
  const std::string name = trained_model(config, wrapping.model, "to move what is added");
  Node& model = *changed.find("models")->find(name);
  Node& edits = list_of(model, "edits");
  const std::string& layer = wrapping.with.entries().front().key;
  if (has_wrap(edits, layer))
    throw ConfigError("model " + quote(name) + " has " + layer +
                      " layers already; say it in one place.");
  for (const std::string& pattern : wrapping.layers) {
    Node wrap = Node::map();
    wrap.set("at", Node::scalar(pattern));
    wrap.set("with", wrapping.with);
    if (!wrapping.only.empty()) wrap.set("only", Node::scalar(wrapping.only));
    Node edit = Node::map();
    edit.set("wrap", std::move(wrap));
    edits.items().push_back(std::move(edit));
  }
  std::vector<std::string> learning = wrapping.own;
  learning.insert(learning.end(), wrapping.also.begin(), wrapping.also.end());
  Node edit = Node::map();
  edit.set("train_only", text_list(learning));
  edits.items().push_back(std::move(edit));
  if (Node* weights = model.find("weights"); weights != nullptr && weights->is_map())
    for (const std::string& pattern : wrapping.own)
      list_of(*weights, "optional").items().push_back(Node::scalar(pattern));
  return changed;
}

}  // namespace hearth
