// The tree of layers: each has a path, parameters and buffers by name, and children by name.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hearth/nn/weight_packing.h"
#include "hearth/tensor/state.h"

namespace hearth {

// One layer's place in the tree, and all that is registered with it.
class LayerTree {
 public:
  using Child = std::pair<std::string, std::unique_ptr<Layer>>;

  LayerTree();
  ~LayerTree();
  LayerTree(const LayerTree&) = delete;
  LayerTree& operator=(const LayerTree&) = delete;

  void set_path(std::string path) { path_ = std::move(path); }
  [[nodiscard]] const std::string& path() const { return path_; }
  void clear();

  at::Tensor& add_parameter(const std::string& name, const at::Tensor& value);
  at::Tensor& add_buffer(const std::string& name, const at::Tensor& value);
  Layer& add_child(const std::string& name, std::unique_ptr<Layer> child);
  // Null when there is none of the name.
  [[nodiscard]] const OwnTensor* find_parameter(std::string_view name) const;
  [[nodiscard]] const OwnTensor* find_buffer(std::string_view name) const;
  [[nodiscard]] Layer* find_child(std::string_view name) const;

  [[nodiscard]] const std::vector<OwnTensor>& own_parameters() const { return parameters_; }
  [[nodiscard]] const std::vector<Child>& own_children() const { return children_; }

  // With those of the children, depth first, in order of registration; names are relative:
  // "0.weight". Parameters as they lie in memory, or as ordinary tensors.
  [[nodiscard]] std::vector<NamedTensor> parameters_in_memory() const;
  [[nodiscard]] std::vector<NamedTensor> ordinary_parameters() const;
  [[nodiscard]] std::vector<NamedTensor> buffers() const;

  // The layer at "layer1.0.conv1" below this one; null when there is none.
  [[nodiscard]] Layer* find(std::string_view path) const;
  // Those below whose path, relative to this one, fits `layer1.*.conv?`; depth first.
  [[nodiscard]] std::vector<Layer*> matching(std::string_view pattern) const;
  // The relative paths of all layers below, depth first.
  [[nodiscard]] std::vector<std::string> paths_below() const;

 private:
  enum class Sort { kParameter, kOrdinaryParameter, kBuffer };
  void gather(Sort sort, const std::string& prefix, std::vector<NamedTensor>& found) const;
  void walk(const std::string& prefix,
            const std::function<void(const std::string& path, Layer& layer)>& visit) const;

  std::string path_;
  std::vector<OwnTensor> parameters_;
  std::vector<OwnTensor> buffers_;
  std::vector<Child> children_;
};

}  // namespace hearth
