// A layer around another one whose weight is computed anew for every call, from parameters of its
// own: weight_norm, spectral_norm.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "hearth/nn/layer.h"

namespace hearth {

class Reparametrized : public Layer {
 public:
  [[nodiscard]] double work() const override { return inner_->work(); }

 protected:
  // `name` is the component's, `parameter` the one of the layer that is computed.
  Reparametrized(std::string name, std::optional<Choice<Layer>> layer, std::string parameter);

  // Registers what the weight is computed from; `weight` has the values it would start with.
  virtual void split(const at::Tensor& weight, const BuildContext& context) = 0;
  // The weight of this call; autograd follows it.
  virtual at::Tensor weight() = 0;
  [[nodiscard]] const std::string& parameter() const { return parameter_; }
  // GraphError unless the weight has it.
  void require_dimension(const BuildContext& context, const at::Tensor& weight, int64_t dim) const;

  Spec prepare(const Spec& input, const BuildContext& context) override;
  at::Tensor forward(const at::Tensor& input) override { return forward(input, {}); }
  at::Tensor forward(const at::Tensor& input, const Tail& tail) override;

 private:
  void adopt_parameters(const BuildContext& context);

  std::string name_;
  std::optional<Choice<Layer>> layer_;
  std::string parameter_;
  std::unique_ptr<Layer> inner_;  // no child: what it has is registered here, by the same names
  at::Tensor weight_;             // the one the layer computes with
  std::mutex turn_;               // threads that predict share the layer inside
};

}  // namespace hearth
