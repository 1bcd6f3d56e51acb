// Zeros for the factors of the last norm of each residual branch.
#include "hearth/nn/initializers/zero_gamma.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/nn/added_branches.h"
#include "hearth/nn/initializer.h"

namespace hearth::initializers {
namespace {

bool is_norm(const Layer& layer) {
  const OwnTensor* weight = layer.tree().find_parameter("weight");
  return layer.choice().name().find("norm") != std::string::npos && weight != nullptr &&
         weight->tensor->dim() == 1;
}

// The norm that the branch ends with; what only passes values on may come after it.
const Layer* last_norm(const AddedBranch& branch) {
  std::vector<Layer*> leaves;
  for (Layer* layer : branch)
    for (Layer* leaf : leaves_of(*layer)) leaves.push_back(leaf);
  for (size_t i = leaves.size(); i-- > 0;) {
    if (is_norm(*leaves[i])) return leaves[i];
    if (!leaves[i]->tree().own_parameters().empty()) return nullptr;
  }
  return nullptr;
}

class ZeroGamma : public Initializer {
 public:
  using Options = ZeroGammaOptions;
  explicit ZeroGamma(const Options&) {}

  void fill(at::Tensor& values, const at::Generator&) const override { values.zero_(); }

  [[nodiscard]] std::string fill_all(const InitScope& scope) const override {
    bool fills = false;
    for (const AddedBranch& branch : added_branches(scope.layer)) {
      const Layer* norm = last_norm(branch);
      if (norm == nullptr) continue;
      const at::Tensor& weight = *norm->tree().find_parameter("weight")->tensor;
      for (const NamedTensor& parameter : scope.parameters) {
        if (!parameter.second.is_same(weight)) continue;
        fill_one(scope, parameter);
        fills = true;
      }
    }
    return fills ? "" : "it is for norms that end a residual branch, and there is none of them";
  }
};

}  // namespace

const Schema<ZeroGammaOptions>& ZeroGammaOptions::schema() {
  static const auto fields = Schema<ZeroGammaOptions>();
  return fields;
}

Choice<Initializer> zero_gamma(ZeroGammaOptions options) {
  return choose<Initializer>("zero_gamma", options);
}

void register_zero_gamma(Registry<Initializer>& initializers) {
  initializers.add<ZeroGamma>("zero_gamma",
                              "Zeros for the factors of the last norm of each residual branch, so "
                              "that it adds nothing at first; all others stay as they are.");
}

}  // namespace hearth::initializers
