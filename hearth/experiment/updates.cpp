// The ops of a config that make steps.
#include "hearth/experiment/updates.h"

#include <algorithm>
#include <iterator>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

constexpr const char* kUpdateOps[] = {"update", "sam", "asam"};

bool makes_steps(const std::string& op) {
  return std::find(std::begin(kUpdateOps), std::end(kUpdateOps), op) != std::end(kUpdateOps);
}

std::vector<ListedUpdate> updates_of(Node& config) {
  std::vector<ListedUpdate> found;
  std::vector<Node>& ops = component_list(config, "network").items();
  for (size_t i = 0; i < ops.size(); ++i) {
    if (!ops[i].is_map() || ops[i].entries().empty()) continue;
    Node::Entry& op = ops[i].entries().front();
    if (makes_steps(op.key))
      found.push_back(
          {&op.value, i, text_or(op.value, "model", "net"), text_or(op.value, "loss", "loss")});
  }
  return found;
}

}  // namespace

ListedUpdate update_of(Node& config, const std::optional<std::string>& model) {
  std::vector<ListedUpdate> found = updates_of(config);
  std::vector<std::string> models;
  for (const ListedUpdate& update : found) models.push_back(update.model);
  if (model)
    std::erase_if(found, [&](const ListedUpdate& update) { return update.model != *model; });
  if (found.size() == 1) return found.front();
  if (found.empty())
    throw ConfigError("does not apply: no update, sam or asam makes steps" +
                      (model ? " of the model " + quote(*model) + "." + did_you_mean(*model, models)
                             : std::string(".")));
  throw ConfigError("does not know which steps are meant: " + quoted_names(models) +
                    " are moved by one op each. " +
                    (model ? "Give the model one update." : "Name one with `model`."));
}

}  // namespace hearth
