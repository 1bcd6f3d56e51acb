// The tree of layers.
#include "hearth/nn/layer_tree.h"

#include "hearth/base/pattern.h"
#include "hearth/nn/layer.h"

namespace hearth {
namespace {

at::Tensor& added(std::vector<OwnTensor>& list, const std::string& name, const at::Tensor& value) {
  list.push_back({name, std::make_unique<at::Tensor>(value), value.sizes().vec()});
  return *list.back().tensor;
}

// A child without a name stands for its parent: what is in it has the parent's names.
std::string below(const std::string& prefix, const std::string& name) {
  return name.empty() ? prefix : prefix + name + ".";
}

const OwnTensor* found_in(const std::vector<OwnTensor>& list, std::string_view name) {
  for (const OwnTensor& own : list)
    if (own.name == name) return &own;
  return nullptr;
}

}  // namespace

LayerTree::LayerTree() = default;
LayerTree::~LayerTree() = default;

void LayerTree::clear() {
  parameters_.clear();
  buffers_.clear();
  children_.clear();
}

at::Tensor& LayerTree::add_parameter(const std::string& name, const at::Tensor& value) {
  at::Tensor& parameter = added(parameters_, name, value);
  parameter.set_requires_grad(true);
  return parameter;
}

at::Tensor& LayerTree::add_buffer(const std::string& name, const at::Tensor& value) {
  return added(buffers_, name, value);
}

Layer& LayerTree::add_child(const std::string& name, std::unique_ptr<Layer> child) {
  children_.emplace_back(name, std::move(child));
  return *children_.back().second;
}

const OwnTensor* LayerTree::find_parameter(std::string_view name) const {
  return found_in(parameters_, name);
}

const OwnTensor* LayerTree::find_buffer(std::string_view name) const {
  return found_in(buffers_, name);
}

Layer* LayerTree::find_child(std::string_view name) const {
  for (const auto& [own, child] : children_)
    if (own == name) return child.get();
  return nullptr;
}

std::vector<NamedTensor> LayerTree::parameters_in_memory() const {
  std::vector<NamedTensor> found;
  gather(Sort::kParameter, "", found);
  return found;
}

std::vector<NamedTensor> LayerTree::ordinary_parameters() const {
  std::vector<NamedTensor> found;
  gather(Sort::kOrdinaryParameter, "", found);
  return found;
}

std::vector<NamedTensor> LayerTree::buffers() const {
  std::vector<NamedTensor> found;
  gather(Sort::kBuffer, "", found);
  return found;
}

void LayerTree::gather(Sort sort, const std::string& prefix,
                       std::vector<NamedTensor>& found) const {
  for (const OwnTensor& own : sort == Sort::kBuffer ? buffers_ : parameters_) {
    const bool is_wanted = sort != Sort::kOrdinaryParameter || own.tensor->sizes() == own.sizes;
    found.emplace_back(prefix + own.name, is_wanted ? *own.tensor : own.tensor->reshape(own.sizes));
  }
  for (const auto& [name, layer] : children_)
    layer->tree().gather(sort, below(prefix, name), found);
}

Layer* LayerTree::find(std::string_view path) const {
  for (const auto& [name, child] : children_) {
    if (name.empty()) {
      if (Layer* found = child->tree().find(path)) return found;
      continue;
    }
    if (!path.starts_with(name)) continue;
    if (path.size() == name.size()) return child.get();
    if (path[name.size()] != '.') continue;
    if (Layer* found = child->tree().find(path.substr(name.size() + 1))) return found;
  }
  return nullptr;
}

void LayerTree::walk(
    const std::string& prefix,
    const std::function<void(const std::string& path, Layer& layer)>& visit) const {
  for (const auto& [name, child] : children_) {
    if (!name.empty()) visit(prefix + name, *child);
    child->tree().walk(below(prefix, name), visit);
  }
}

std::vector<Layer*> LayerTree::matching(std::string_view pattern) const {
  std::vector<Layer*> found;
  walk("", [&](const std::string& path, Layer& layer) {
    if (matches(pattern, path)) found.push_back(&layer);
  });
  return found;
}

std::vector<std::string> LayerTree::paths_below() const {
  std::vector<std::string> paths;
  walk("", [&](const std::string& path, Layer&) { paths.push_back(path); });
  return paths;
}

}  // namespace hearth
