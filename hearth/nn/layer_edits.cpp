// Surgery on a model while it is built.
#include "hearth/nn/layer_edits.h"

#include <algorithm>
#include <set>

#include "hearth/base/error.h"
#include "hearth/base/pattern.h"
#include "hearth/base/text.h"
#include "hearth/config/place.h"
#include "hearth/nn/description_edits.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/composition/followed.h"
#include "hearth/nn/layers/composition/identity.h"

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

std::string inserted_name(const LayerNode& node, const InsertOptions& options) {
  return options.name.empty() ? node.name + "_" + options.layer.name() : options.name;
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

bool changes_layers(const LayerEdit& edit) { return !edit.freeze && edit.train_only.empty(); }

// Whether the layer's own parameters were there before the edit. What keeps the layer inside it
// among its children brought those it has beside; others took over the parameters of that layer.
bool was_there(const Layer& layer, size_t edit) {
  const EditPlace& place = layer.edit_place();
  const bool is_around = layer.tree().find_child("") != nullptr;
  return (is_around ? place.first_below() : place.first) <= edit;
}

bool fits_any(const std::vector<std::string>& patterns, const std::string& name) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return matches(pattern, name); });
}

// Whether something was there that fits; `is_inside` a layer that does.
bool freeze_matching(const Layer& layer, const std::string& prefix, const std::string& pattern,
                     size_t edit, bool is_inside) {
  bool is_met = false;
  if (was_there(layer, edit))
    for (const OwnTensor& own : layer.tree().own_parameters()) {
      if (!is_inside && !matches(pattern, prefix + own.name)) continue;
      own.tensor->set_requires_grad(false);
      is_met = true;
    }
  for (const auto& [name, child] : layer.tree().own_children()) {
    const bool is_fit = is_inside || (!name.empty() && matches(pattern, prefix + name));
    const std::string below = name.empty() ? prefix : prefix + name + ".";
    is_met = (is_fit && was_there(*child, edit)) || is_met;
    is_met = freeze_matching(*child, below, pattern, edit, is_fit) || is_met;
  }
  return is_met;
}

// Whether something is left to learn.
bool train_matching(const Layer& layer, const std::string& prefix,
                    const std::vector<std::string>& patterns, size_t edit) {
  bool is_met = false;
  if (was_there(layer, edit))
    for (const OwnTensor& own : layer.tree().own_parameters()) {
      const bool is_fit = fits_any(patterns, prefix + own.name);
      if (!is_fit) own.tensor->set_requires_grad(false);
      is_met = is_fit || is_met;
    }
  for (const auto& [name, child] : layer.tree().own_children()) {
    const std::string below = name.empty() ? prefix : prefix + name + ".";
    is_met = train_matching(*child, below, patterns, edit) || is_met;
  }
  return is_met;
}

// Of the layers and, for edits of parameters, the parameters.
std::vector<std::string> known_to(const LayerEdit& edit, const Layer& model) {
  std::vector<std::string> known = model.tree().paths_below();
  if (!changes_layers(edit))
    for (const auto& [name, tensor] : model.handles()) known.push_back(name);
  return known;
}

// Why what fits was not changed.
std::string reason_of(const LayerEdit& edit, size_t number, const std::vector<Layer*>& fitting) {
  const std::string pattern = quote(pattern_of(edit));
  const auto is_later = [&](const Layer* layer) { return layer->edit_place().first > number; };
  const bool asks_kind = edit.wrap && !edit.wrap->only.empty();
  if (!asks_kind || std::all_of(fitting.begin(), fitting.end(), is_later))
    return pattern + " is made by a later edit. Put this one after it.";
  std::set<std::string> kinds;
  for (const Layer* layer : fitting) kinds.insert(layer->choice().name());
  return "no layer that fits " + pattern + " is called " + quote(edit.wrap->only) + "." +
         did_you_mean(edit.wrap->only, {kinds.begin(), kinds.end()});
}

}  // namespace

LayerEdits::LayerEdits(std::vector<LayerEdit> edits, std::string root) : root_(std::move(root)) {
  const std::string reason = "an edit keeps the names and the values of the layers around it.";
  for (LayerEdit& edit : edits) {
    if (edit.replace) refuse_options(edit.replace->with, {"name", "in", "out"}, reason);
    if (edit.insert_after) refuse_options(edit.insert_after->layer, {"name", "in", "out"}, reason);
    entries_.push_back({std::move(edit)});
  }
}

std::string LayerEdits::relative(const std::string& path) const {
  return path == root_ ? "" : path.substr(root_.size() + 1) + ".";
}

void LayerEdits::apply(Description& description, const std::string& path, size_t first) {
  const std::string below = relative(path);
  for (LayerNode& node : description.nodes) node.place = {first, {}};
  for (size_t edit = first; edit < entries_.size(); ++edit)
    if (changes_layers(entries_[edit].edit))
      at_place(entries_[edit].edit.mark, [&] { apply_one(edit, description, below); });
}

void LayerEdits::apply(LayerNode& node, const std::string& path) {
  const std::string below = relative(path);
  for (size_t edit = node.place.first; edit < entries_.size(); ++edit) {
    if (changes_layers(entries_[edit].edit) && fits(edit, node, below)) change(edit, node);
  }
}

size_t LayerEdits::count_wraps(const LayerNode& node) const {
  const auto& around = node.place.wraps;
  const auto end = std::find_if(around.begin(), around.end(),
                                [&](size_t edit) { return !entries_[edit].edit.wrap; });
  return static_cast<size_t>(end - around.begin());
}

const std::string& LayerEdits::kind_of(const LayerNode& node) const {
  const size_t wraps = count_wraps(node);
  return wraps == 0 ? node.layer.name()
                    : entries_[node.place.wraps[wraps - 1]].edit.wrap->with.name();
}

// As in a description: what follows a layer stays behind whatever is put around or after it later.
void LayerEdits::put_around(size_t edit, LayerNode& node) const {
  auto& around = node.place.wraps;
  around.insert(around.begin() + static_cast<std::ptrdiff_t>(count_wraps(node)), edit);
}

bool LayerEdits::fits(size_t edit, const LayerNode& node, const std::string& below) const {
  const LayerEdit& own = entries_[edit].edit;
  if (node.place.first > edit || !matches(pattern_of(own), below + node.name)) return false;
  return !own.wrap || own.wrap->only.empty() || own.wrap->only == kind_of(node);
}

void LayerEdits::change(size_t edit, LayerNode& node) {
  Entry& entry = entries_[edit];
  if (!node.used().empty()) {
    entry.used = node.used();
    return;
  }
  entry.is_met = true;
  if (entry.edit.wrap || entry.edit.insert_after) return put_around(edit, node);
  node.layer = entry.edit.remove ? layers::identity() : entry.edit.replace->with;
  node.place.first = edit + 1;
  auto& around = node.place.wraps;
  around.erase(around.begin(), around.begin() + static_cast<std::ptrdiff_t>(count_wraps(node)));
}

// From the last to the first: those before an inserted or removed one keep their numbers.
void LayerEdits::apply_one(size_t edit, Description& description, const std::string& below) {
  Entry& entry = entries_[edit];
  for (size_t i = description.nodes.size(); i-- > 0;) {
    if (!fits(edit, description.nodes[i], below)) continue;
    if (entry.edit.replace || entry.edit.wrap) {
      change(edit, description.nodes[i]);
      continue;
    }
    entry.is_met = true;
    if (entry.edit.remove) {
      remove_node(description, i);
    } else {
      const InsertOptions& inserted = *entry.edit.insert_after;
      insert_after(description, i, inserted_name(description.nodes[i], inserted), inserted.layer);
      description.nodes[i + 1].place = {edit + 1, {}};
    }
  }
  put_activations(description);  // of layers that the edit brought, for those that come after it
}

Choice<Layer> LayerEdits::around(size_t edit, const LayerNode& node) const {
  const LayerEdit& own = entries_[edit].edit;
  if (own.wrap) return own.wrap->with;
  return layers::followed(
      {.by = own.insert_after->layer, .called = inserted_name(node, *own.insert_after)});
}

Choice<Layer> LayerEdits::wrapped(const LayerNode& node) const {
  Choice<Layer> found = node.layer;
  for (const size_t edit : node.place.wraps) found = around(edit, node).with("layer", found.node());
  return found;
}

void LayerEdits::throw_unmet(size_t edit, const Layer& model) const {
  const Entry& entry = entries_[edit];
  const std::string& pattern = pattern_of(entry.edit);
  const std::string start = std::string(name_of(entry.edit)) + ": ";
  if (!entry.used.empty())
    throw GraphError(start + quote(pattern) + " calls the layer of " + quote(entry.used) +
                     " again. Name that one.");
  const std::vector<std::string> known = known_to(entry.edit, model);
  if (std::any_of(known.begin(), known.end(),
                  [&](const std::string& name) { return matches(pattern, name); }))
    throw GraphError(start + reason_of(entry.edit, edit, model.matching(pattern)));
  throw GraphError(start + "no layer of " + quote(model.path()) + " is called " + quote(pattern) +
                   "." + did_you_mean(pattern, known));
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
  for (size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    at_place(entry.edit.mark, [&] {
      if (entry.edit.freeze)
        entry.is_met = freeze_matching(model, "", *entry.edit.freeze, i, false);
      if (!entry.edit.train_only.empty())
        entry.is_met = train_matching(model, "", entry.edit.train_only, i);
      if (!entry.is_met) throw_unmet(i, model);
    });
  }
}

}  // namespace hearth
