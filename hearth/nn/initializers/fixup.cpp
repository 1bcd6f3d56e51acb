// First values for residual networks without norms (Zhang et al. 2019): branches that together
// change what the network gives as much as one layer would, however many there are.
#include "hearth/nn/initializers/fixup.h"

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/nn/added_branches.h"
#include "hearth/nn/fan.h"
#include "hearth/nn/initializer.h"

namespace hearth::initializers {
namespace {

class Fixup : public Initializer {
 public:
  using Options = FixupOptions;
  explicit Fixup(const Options&) {}

  [[nodiscard]] std::string misfit(at::IntArrayRef shape) const override {
    return fan_misfit(shape);
  }
  void fill(at::Tensor& values, const at::Generator& generator) const override {
    values.normal_(0, std::sqrt(2 / fans_of(values.sizes()).in), generator);
  }

  [[nodiscard]] std::string fill_all(const InitScope& scope) const override {
    const std::vector<AddedBranch> branches = added_branches(scope.layer);
    if (branches.empty()) return "it is for residual branches, and there is none";
    const std::string reason = Initializer::fill_all(scope);
    if (!reason.empty()) return reason;
    for (const AddedBranch& branch : branches)
      shrink(weights_of(branch, scope), static_cast<double>(branches.size()));
    const std::vector<at::Tensor> all = weights_of({&scope.model}, scope);
    if (&scope.layer == &scope.model && !all.empty()) all.back().zero_();  // the classifier
    return "";
  }

 private:
  // Those of two dimensions and more that the pattern names, in order.
  [[nodiscard]] static std::vector<at::Tensor> weights_of(const AddedBranch& layers,
                                                          const InitScope& scope) {
    std::vector<at::Tensor> weights;
    for (Layer* layer : layers)
      for (const auto& [name, parameter] : layer->handles())
        for (const NamedTensor& named : scope.parameters)
          if (named.second.is_same(parameter) && parameter.dim() > 1) weights.push_back(parameter);
    return weights;
  }

  static void shrink(const std::vector<at::Tensor>& weights, double branches) {
    if (weights.empty()) return;
    const auto layers = static_cast<double>(weights.size());
    const double factor = layers > 1 ? std::pow(branches, -1 / (2 * layers - 2)) : 1;
    for (const at::Tensor& weight : weights) weight.mul_(factor);
    weights.back().zero_();
  }
};

}  // namespace

const Schema<FixupOptions>& FixupOptions::schema() {
  static const auto fields = Schema<FixupOptions>();
  return fields;
}

Choice<Initializer> fixup(FixupOptions options) { return choose<Initializer>("fixup", options); }

void register_fixup(Registry<Initializer>& initializers) {
  initializers.add<Fixup>(
      "fixup",
      "For residual networks without norms: weights of branches the smaller the "
      "more branches there are, zeros for the last of each and of the model.");
}

}  // namespace hearth::initializers
