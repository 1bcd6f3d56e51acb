// One more copy of a network: models whose parameters are the first's, and ops bound to them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hearth/experiment/graph_component.h"
#include "hearth/experiment/options.h"
#include "hearth/network/model.h"
#include "hearth/network/network_op.h"

namespace hearth {

// Adds the models that ops bring along; ConfigError when there is one of that name already.
void add_own_models(std::vector<GraphComponent<NetworkOp>>& ops, ModelSet& models);

class Replica {
 public:
  Replica(const std::map<std::string, ModelOptions>& models,
          const std::vector<Choice<NetworkOp>>& ops, const ModelSet& first);

  // The network's op number `index`, bound to these models; building the plan builds them.
  [[nodiscard]] std::shared_ptr<NetworkOp> op(size_t index, const Moment& moment);
  // Of models that were built since; from then on it holds the first's parameters.
  void find_pairs();
  // Before a batch, with all pairs found: parameters become the first's, in the same memory, with
  // gradients of their own; buffers, and which parameters learn, become as the first's.
  void follow();
  void drop_gradients();
  [[nodiscard]] const ModelSet& models() const { return models_; }

  // A tensor of the first network and the one that stands for it here.
  using Pair = std::pair<at::Tensor, at::Tensor>;
  // The same in every replica, in the same order.
  [[nodiscard]] const std::vector<Pair>& buffers() const { return buffers_; }

 private:
  const ModelSet& first_;
  ModelSet models_;
  std::vector<GraphComponent<NetworkOp>> ops_;
  std::vector<const Model*> paired_;  // models whose tensors are in the lists
  std::vector<Pair> parameters_;
  std::vector<Pair> buffers_;
};

}  // namespace hearth
