// A multi-layer perceptron.
#include "hearth/nn/architectures/mlp.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/dropout.h"
#include "hearth/nn/layers/flatten.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/relu.h"
#include "hearth/nn/requirements.h"

namespace hearth {
namespace {

class Mlp : public Layer {
 public:
  using Options = MlpOptions;
  explicit Mlp(MlpOptions options) : options_(std::move(options)) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    const int64_t classes = require_classes(context, "mlp", "classes", options_.classes);
    Spec output = add_chain(layers(classes), input, context);
    output.classes = classes;
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override { return run_chain(input); }

 private:
  [[nodiscard]] std::vector<std::pair<std::string, Choice<Layer>>> layers(int64_t classes) const {
    std::vector<std::pair<std::string, Choice<Layer>>> chain = {{"flatten", flatten()}};
    for (size_t i = 0; i < options_.hidden.size(); ++i) {
      const std::string number = std::to_string(i + 1);
      chain.emplace_back("hidden" + number, linear({.out_features = options_.hidden[i]}));
      chain.emplace_back("relu" + number, relu());
      if (options_.dropout > 0) chain.emplace_back("dropout" + number, dropout({options_.dropout}));
    }
    chain.emplace_back("output", linear({.out_features = classes}));
    return chain;
  }

  MlpOptions options_;
};

}  // namespace

const Schema<MlpOptions>& MlpOptions::schema() {
  using O = MlpOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::hidden, "hidden", "Size of each hidden layer; an empty list for none.")
          .field(&O::classes, "classes", "Scores that come out; from the data when left out.",
                 at_least(1))
          .field(&O::dropout, "dropout", "Share of hidden values dropped while training.",
                 at_least(0), below(1))
          .check("hidden: every size must be at least 1.", [](const O& options) {
            return std::all_of(options.hidden.begin(), options.hidden.end(),
                               [](int64_t size) { return size >= 1; });
          });
  return fields;
}

Choice<Layer> mlp(MlpOptions options) { return choose<Layer>("mlp", options); }

void register_mlp(Registry<Layer>& layers) {
  layers.add<Mlp>("mlp", "A multi-layer perceptron: linear layers with relu between them.");
}

}  // namespace hearth
