// Some optimizers as one: the parameters they move, these parameters' gradients, and a step of all.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "hearth/base/crew.h"
#include "hearth/network/model.h"

namespace hearth {

class StepWatch;

class Mover {
 public:
  Mover() = default;
  // Those of the models with this name, or all for an empty one. ConfigError for a model that has
  // none, or does not learn; `op` is who wants it, such as "update".
  Mover(std::vector<Model*> models, const std::string& optimizer, std::string op);

  // GraphError for a model that is not built by now, or has nothing that could learn.
  void check_built() const;

  // Adds the gradients of a loss to those of all parameters that learn in this step; nothing
  // happens when none does. GraphError when the loss, of that key, depends on none of them.
  void add_gradients(const at::Tensor& loss, const std::string& key, bool keeps_graph);
  // Those that are there, where they lie: changing them changes the step.
  [[nodiscard]] std::vector<at::Tensor> gradients() const;
  // With replicas: the same mover of each of them. Adds their gradients to its own, in order.
  void take_gradients(std::span<const Mover* const> others);
  void drop_gradients() const;

  // Tells who watches, if anybody does, of the gradients that a step would take now.
  void show_gradients(StepWatch* watch, std::span<const Mover* const> others = {}) const;
  // One step of all; a `clip_norm` above 0 bounds the norm of all gradients together. The caller
  // drops the gradients.
  void step(const Moment& moment, double clip_norm, std::span<const Mover* const> others = {},
            Crew* crew = nullptr);

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
  [[nodiscard]] std::vector<Optimizer*> others_at(size_t index,
                                                  std::span<const Mover* const> others) const;

  std::vector<Model*> models_;
  std::vector<Optimizer*> optimizers_;
  std::vector<std::string> owners_;  // the model of each
  std::string op_;
  std::vector<at::Tensor> learning_;  // of this step; kept for its memory
};

}  // namespace hearth
