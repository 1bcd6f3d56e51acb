// Surgery on a model while it is built.
#include "hearth/nn/layer_edits.h"

#include "hearth/base/error.h"
#include "hearth/base/pattern.h"
#include "hearth/base/text.h"
#include "hearth/config/place.h"
#include "hearth/nn/description_edits.h"
#include "hearth/nn/layer.h"

namespace hearth {
namespace {

void remove_node(Description& description, size_t index) {
  const LayerNode node = description.nodes[index];
  if (node.in.size() != 1 || node.out.size() != 1)
    throw GraphError(quote(node.name) + " takes or gives several values and cannot be left out. " +
                     "Use replace.");
  for (const LayerNode& other : description.nodes)
    if (other.used() == node.name)
      throw GraphError(quote(other.name) + " uses " + quote(node.name) +
                       ", which cannot be left out then. Use replace, or remove both.");
  rewire(description, node.out.front(), node.in.front(), index);
  description.nodes.erase(description.nodes.begin() + static_cast<std::ptrdiff_t>(index));
}

void insert_node(Description& description, size_t index, const InsertOptions& options) {
  const std::string made = description.nodes[index].name + "_" + options.layer.name();
  insert_after(description, index, options.name.empty() ? made : options.name, options.layer);
}

const std::string& pattern_of(const LayerEdit& edit) {
  if (edit.freeze) return *edit.freeze;
  if (edit.replace) return edit.replace->at;
  if (edit.wrap) return edit.wrap->at;
  if (!edit.train_only.empty()) return edit.train_only.front();
  return edit.insert_after ? edit.insert_after->at : *edit.remove;
}

const char* name_of(const LayerEdit& edit) {
  if (edit.freeze) return "freeze";
  if (edit.replace) return "replace";
  if (edit.wrap) return "wrap";
  if (!edit.train_only.empty()) return "train_only";
  return edit.insert_after ? "insert_after" : "remove";
}

bool freeze_matching(Layer& model, const std::string& pattern) {
  bool is_met = false;
  for (const auto& [name, tensor] : model.handles()) {
    if (!matches(pattern, name)) continue;
    tensor.set_requires_grad(false);
    is_met = true;
  }
  for (Layer* layer : model.matching(pattern)) {
    layer->set_trainable(false);
    is_met = true;
  }
  return is_met;
}

// Whether something is left to learn.
bool train_matching(Layer& model, const std::vector<std::string>& patterns) {
  bool is_met = false;
  for (const auto& [name, tensor] : model.handles()) {
    bool fits = false;
    for (const std::string& pattern : patterns) fits = fits || matches(pattern, name);
    if (!fits) tensor.set_requires_grad(false);
    is_met = is_met || fits;
  }
  return is_met;
}

[[noreturn]] void throw_unmet(const LayerEdit& edit, const Layer& model) {
  const std::string& pattern = pattern_of(edit);
  std::vector<std::string> known = model.tree().paths_below();
  const bool is_there = !model.matching(pattern).empty();
  if (edit.freeze || !edit.train_only.empty())
    for (const auto& [name, tensor] : model.handles()) known.push_back(name);
  throw GraphError(std::string(name_of(edit)) + ": " +
                   (is_there ? quote(pattern) + " is made by a layer that is not described as a "
                                                "graph. Use replace there."
                             : "no layer of " + quote(model.path()) + " is called " +
                                   quote(pattern) + "." + did_you_mean(pattern, known)));
}

}  // namespace

LayerEdits::LayerEdits(std::vector<LayerEdit> edits, std::string root) : root_(std::move(root)) {
  const std::string reason = "an edit keeps the names and the values of the layers around it.";
  for (LayerEdit& edit : edits) {
    if (edit.replace) refuse_options(edit.replace->with, {"name", "in", "out"}, reason);
    if (edit.insert_after) refuse_options(edit.insert_after->layer, {"name", "in", "out"}, reason);
    entries_.push_back({std::move(edit), false});
  }
}

std::string LayerEdits::relative(const std::string& path) const {
  return path == root_ ? "" : path.substr(root_.size() + 1) + ".";
}

void LayerEdits::apply(Description& description, const std::string& path) {
  for (Entry& entry : entries_)
    if (entry.edit.replace || entry.edit.insert_after || entry.edit.remove)
      at_place(entry.edit.mark, [&] { apply(entry, description, path); });
}

// From the last to the first, so that what an edit adds is not met by it again.
void LayerEdits::apply(Entry& entry, Description& description, const std::string& path) const {
  for (size_t i = description.nodes.size(); i-- > 0;) {
    LayerNode& node = description.nodes[i];
    if (!matches(pattern_of(entry.edit), relative(path) + node.name)) continue;
    entry.is_met = true;
    if (entry.edit.replace && node.used().empty())
      node.layer = entry.edit.replace->with;
    else if (entry.edit.insert_after)
      insert_node(description, i, *entry.edit.insert_after);
    else if (entry.edit.remove)
      remove_node(description, i);
  }
}

Choice<Layer> LayerEdits::replaced(const Choice<Layer>& choice, const std::string& path) {
  Choice<Layer> found = choice;
  const std::string own = relative(path);
  for (Entry& entry : entries_) {
    if (entry.edit.wrap && matches(entry.edit.wrap->at, own.substr(0, own.size() - 1)) &&
        (entry.edit.wrap->only.empty() || entry.edit.wrap->only == found.name())) {
      entry.is_met = true;
      found = entry.edit.wrap->with.with("layer", found.node());
      continue;
    }
    if (!entry.edit.replace || !matches(entry.edit.replace->at, own.substr(0, own.size() - 1)))
      continue;
    entry.is_met = true;
    found = entry.edit.replace->with;
  }
  return found;
}

std::optional<Choice<Layer>> LayerEdits::low_rank_part(const std::string& path) {
  std::optional<Choice<Layer>> found;
  const std::string own = relative(path);
  for (Entry& entry : entries_) {
    const auto& wrap = entry.edit.wrap;
    if (!wrap || wrap->with.name() != "lora" || (!wrap->only.empty() && wrap->only != "linear"))
      continue;
    if (!matches(wrap->at, own.substr(0, own.size() - 1))) continue;
    entry.is_met = true;
    if (!found) found = wrap->with;
  }
  return found;
}

void LayerEdits::finish(Layer& model) {
  for (Entry& entry : entries_)
    at_place(entry.edit.mark, [&] {
      if (entry.edit.freeze) entry.is_met = freeze_matching(model, *entry.edit.freeze);
      if (!entry.edit.train_only.empty())
        entry.is_met = train_matching(model, entry.edit.train_only);
      if (!entry.is_met) throw_unmet(entry.edit, model);
    });
}

}  // namespace hearth
