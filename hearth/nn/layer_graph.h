// A description that was built: its layers as steps over numbered values. For internal use by
// Layer.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "hearth/core/graph.h"
#include "hearth/nn/build_context.h"
#include "hearth/nn/call_path.h"
#include "hearth/nn/description.h"
#include "hearth/nn/layer_fusion.h"

namespace hearth {

class Layer;
class SequenceMemory;

class LayerGraph {
 public:
  // Builds the described layers as children of `owner`, through the plan compiler: GraphError with
  // every fault, each at its node's place. For a later shape of the context the children are there.
  [[nodiscard]] std::vector<Spec> build(const Description& description,
                                        std::span<const Spec> inputs, const BuildContext& context,
                                        Layer& owner);

  // One value in, one out; the last layer gets the tail.
  [[nodiscard]] at::Tensor run(const at::Tensor& input, const Tail& tail) const;
  void run(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) const;
  // The layers that others compute along with themselves, as long as nobody listens to them.
  [[nodiscard]] std::vector<const Layer*> fused() const;

 private:
  [[nodiscard]] static std::vector<Spec> built(const LayerNode& node,
                                               const std::vector<Spec>& inputs,
                                               const BuildContext& context, Layer& owner,
                                               Layer*& layer);
  void take_plan(const Plan& plan, const std::vector<Layer*>& layers,
                 const std::vector<std::string>& inputs, bool may_fuse);
  void find_last_reads();
  // Whether the last step took the tail.
  [[nodiscard]] bool run_steps(std::vector<at::Tensor>& values, const Tail& tail) const;
  [[nodiscard]] bool run_beside_given(SequenceMemory& memory,
                                      std::vector<at::Tensor>& values) const;
  static void run_step(const LayerStep& step, std::vector<at::Tensor>& values);
  [[nodiscard]] static std::vector<at::Tensor> outputs_of(const LayerStep& step,
                                                          const std::vector<at::Tensor>& values);
  static void put_outputs(const LayerStep& step, const std::vector<at::Tensor>& outputs,
                          std::vector<at::Tensor>& values);
  [[nodiscard]] static at::Tensor run_unary(const LayerStep& step,
                                            const std::vector<at::Tensor>& values,
                                            const Tail& tail);
  static void run_any(const LayerStep& step, std::vector<at::Tensor>& values);

  std::vector<LayerStep> steps_;
  size_t values_ = 0;
  std::vector<int> inputs_;   // values; -1 for one that nobody reads
  std::vector<int> outputs_;  // values
};

}  // namespace hearth
