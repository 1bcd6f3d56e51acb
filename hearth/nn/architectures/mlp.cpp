// A multi-layer perceptron.
#include "hearth/nn/architectures/mlp.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/layers/shape/flatten.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class Mlp : public Layer {
 public:
  using Options = MlpOptions;
  explicit Mlp(MlpOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec>, const BuildContext& context) override {
    const int64_t classes =
        require_classes(context, {"mlp", "classes", options_.classes, options_.classes_of});
    return chain(layers(classes), classes);
  }

 private:
  [[nodiscard]] NamedLayers layers(int64_t classes) const {
    NamedLayers all = {{"flatten", flatten()}};
    for (size_t i = 0; i < options_.hidden.size(); ++i) {
      const std::string number = std::to_string(i + 1);
      all.emplace_back("hidden" + number, linear({.out_features = options_.hidden[i]}));
      all.emplace_back("relu" + number, relu());
      if (options_.dropout > 0) all.emplace_back("dropout" + number, dropout({options_.dropout}));
    }
    all.emplace_back("output", linear({.out_features = classes}));
    return all;
  }

  MlpOptions options_;
};

}  // namespace

const Schema<MlpOptions>& MlpOptions::schema() {
  using O = MlpOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::hidden, "hidden", "Size of each hidden layer; an empty list for none.",
                 at_least(1))
          .field(&O::classes, "classes", "Scores that come out; from the data when left out.",
                 at_least(1))
          .field(&O::classes_of, "classes_of",
                 "The key whose number of classes it is, when the data has several.", not_empty())
          .field(&O::dropout, "dropout", "Share of hidden values dropped while training.",
                 at_least(0), below(1));
  return fields;
}

Choice<Layer> mlp(MlpOptions options) { return choose<Layer>("mlp", options); }

void register_mlp(Registry<Layer>& layers) {
  layers.add<Mlp>("mlp", "A multi-layer perceptron: linear layers with relu between them.");
}

}  // namespace hearth::layers
