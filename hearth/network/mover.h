// Some optimizers as one: the parameters they move, these parameters' gradients, and a step of all.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hearth/base/crew.h"
#include "hearth/network/model.h"

namespace hearth {

class GradientSum;
class RankExchange;
class StepWatch;

class Mover {
 public:
  Mover() = default;
  // Those of the models with this name, or all for an empty one. ConfigError for a model that has
  // none, or does not learn; `op` is who wants it, such as "update".
  Mover(std::vector<Model*> models, const std::string& optimizer, std::string op);

  // GraphError for a model that is not built by now, or has nothing that could learn.
  void check_built() const;

  // Nobody but `step` needs its gradients: where ranks share them out, this one keeps its share.
  void keep_share_of_gradients() { may_keep_share_ = true; }

  // Adds the gradients of a loss to those of all parameters that learn in this step; nothing
  // happens when none does. GraphError when the loss, of that key, depends on none of them.
  void add_gradients(const at::Tensor& loss, const std::string& key, bool keeps_graph);
  // Those that are there, where they lie: changing them changes the step.
  [[nodiscard]] std::vector<at::Tensor> gradients() const;
  // With ranks: the gradients that are added next, by this one and the first `running` - 1 of the
  // same mover in replicas, complete a step's. They are sent as they are found, and
  // `take_gradients` waits for the sums.
  void begin_sum(std::span<Mover* const> others, RankExchange& ranks, size_t running);
  // All have run: what they did not find is not waited for.
  void end_search() const;
  // With replicas: the same mover of each of them. Adds their gradients to its own, and those of
  // other ranks, if there are any.
  void take_gradients(std::span<Mover* const> others, RankExchange* ranks = nullptr);
  void drop_gradients() const;
  // For steps that are made of what ranks sent each other: the sum of the gradients of this one and
  // `others`, as rows, taken out; undefined where a parameter has none. And back, on all ranks.
  [[nodiscard]] std::vector<at::Tensor> take_rows(std::span<Mover* const> others) const;
  void put_rows(const std::vector<at::Tensor>& rows) const;

  // Tells who watches, if anybody does, of the gradients that a step would take now.
  void show_gradients(StepWatch* watch, std::span<Mover* const> others = {},
                      RankExchange* ranks = nullptr) const;
  // Who takes part in a step beside this mover.
  struct Partners {
    std::span<Mover* const> others = {};
    Crew* crew = nullptr;
    RankExchange* ranks = nullptr;
  };
  // One step of all; a `clip_norm` above 0 bounds the norm of all gradients together. The caller
  // drops the gradients.
  void step(const Moment& moment, double clip_norm, const Partners& partners);

  // Whether an optimizer looks at losses along its way; and such a step, of the only optimizer.
  [[nodiscard]] bool searches() const;
  void step_along(const Moment& moment, double loss, const std::function<double()>& evaluate);
  [[nodiscard]] size_t optimizer_count() const { return optimizers_.size(); }

  // Parameters as they lie in memory, one optimizer's after the other's.
  [[nodiscard]] std::vector<NamedTensor> handles() const;
  // The same as ordinary tensors; of several models, named <model>/<parameter>.
  [[nodiscard]] std::vector<NamedTensor> parameters() const;
  [[nodiscard]] std::vector<std::string> model_names() const;

 private:
  void find_learning();
  // Whether only the own share of summed gradients is kept. Several optimizers clip by norms of
  // whole gradients.
  [[nodiscard]] bool keeps_share(const RankExchange& ranks) const;
  // Handles by <model>/<parameter>.
  [[nodiscard]] std::vector<NamedTensor> owned_handles() const;
  [[nodiscard]] std::vector<Optimizer*> others_at(size_t index,
                                                  std::span<Mover* const> others) const;

  std::vector<Model*> models_;
  std::vector<Optimizer*> optimizers_;
  std::vector<std::string> owners_;  // the model of each
  std::string op_;
  std::vector<at::Tensor> learning_;  // of this step; kept for its memory
  std::vector<size_t> places_;        // of these among all
  std::weak_ptr<GradientSum> sum_;    // of all ranks, while it is made
  bool may_keep_share_ = false;
};

}  // namespace hearth
