// Weights in the order in memory their kernels want, from step to step; ordinary for whoever holds
// them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "hearth/kernels/weight/weight_order.h"
#include "hearth/tensor/state.h"

namespace hearth {

class Layer;

// Parameters by name, as ordinary tensors. They stay ordinary while the list lives: whoever wants
// to look at a parameter later keeps the list, not one tensor out of it.
class Parameters {
 public:
  Parameters(std::vector<NamedTensor> tensors, std::shared_ptr<const void> hold)
      : tensors_(std::move(tensors)), hold_(std::move(hold)) {}

  [[nodiscard]] auto begin() const { return tensors_.begin(); }
  [[nodiscard]] auto end() const { return tensors_.end(); }
  [[nodiscard]] size_t size() const { return tensors_.size(); }
  [[nodiscard]] const NamedTensor& operator[](size_t index) const { return tensors_[index]; }
  [[nodiscard]] const NamedTensor& front() const { return tensors_.front(); }
  // The tensors alone; a copy of them holds nothing.
  operator const std::vector<NamedTensor>&() const { return tensors_; }  // NOLINT: on purpose

 private:
  std::vector<NamedTensor> tensors_;
  std::shared_ptr<const void> hold_;
};

// A parameter or a buffer of one layer; the address stays, so that references to it stay valid.
struct OwnTensor {
  std::string name;
  std::unique_ptr<at::Tensor> tensor;
  std::vector<int64_t> sizes;  // unpacked
};

// Which forms one layer's own parameters may have.
class WeightPacking {
 public:
  using WantedOrder = std::function<const WeightOrder*(const at::Tensor& parameter)>;

  // Keeps the parameters ordinary until it dies.
  [[nodiscard]] std::shared_ptr<const void> hold() const { return hold_; }
  [[nodiscard]] bool is_held() const { return hold_.use_count() > 1; }

  // Only a step's graphs are made of packed parameters.
  void set_in_step(bool is_in_step) { is_in_step_ = is_in_step; }
  [[nodiscard]] bool is_in_step() const { return is_in_step_; }

  // Parameters that learn, and that no graph from before leads to, get the order that is wanted;
  // the others become ordinary.
  static void pack(const std::vector<OwnTensor>& parameters, const WantedOrder& wanted);
  // Not what the graph of the step that runs knows in the form it has.
  void unpack(const std::vector<OwnTensor>& parameters) const;

 private:
  std::shared_ptr<const int> hold_ = std::make_shared<const int>(0);
  bool is_in_step_ = false;
};

// Before a training step: parameters that learn are packed, in the order in memory their kernels
// want, and stay so from step to step; not those that somebody holds.
void pack_weights(Layer& layer);
void unpack_weights(const Layer& layer);  // not what the step that runs has used already
// Whoever calls layers outside a step with autograd on gets ordinary parameters first.
void set_in_step(Layer& layer, bool is_in_step);

// Why this layer's weights, or those below it, are not packed though a kernel wants them to be:
// "net.conv1 has hooks"; nothing when they may be, or when no kernel wants it.
[[nodiscard]] std::string packing_obstacle(Layer& layer);
// Whether some kernel below wants another order than the ordinary one.
[[nodiscard]] bool wants_packing(Layer& layer);

}  // namespace hearth
