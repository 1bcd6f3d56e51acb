// An LSTM that scores a tag for every token.
#include "hearth/nn/architectures/lstm_tagger.h"

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/embedding.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/recurrent/lstm.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/layers/shape/permute.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class LstmTagger : public Layer {
 public:
  using Options = LstmTaggerOptions;
  explicit LstmTagger(LstmTaggerOptions options) : options_(options) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_tokens(context, "lstm_tagger", inputs.front());
    const int64_t classes = require_classes(context, {"lstm_tagger", "classes", options_.classes});
    std::vector<std::string> names = {"input"};
    std::vector<std::string> read = {"embedding"};
    if (inputs.size() > 1) {
      names.emplace_back("mask");
      read.emplace_back("mask");
    }
    std::vector<Choice<Layer>> nodes = {
        wired(embedding({.entries = options_.vocabulary, .size = options_.embedding_size}),
              {"input"}, {}, "embedding"),
        wired(lstm({.hidden_size = options_.hidden_size,
                    .num_layers = options_.num_layers,
                    .dropout = options_.num_layers > 1 ? options_.dropout : 0,
                    .bidirectional = options_.bidirectional}),
              read, {}, "lstm")};
    if (options_.dropout > 0) nodes.push_back(named(dropout({options_.dropout}), "dropout"));
    nodes.push_back(named(linear({.out_features = classes}), "hidden2tag"));
    // Losses and metrics want the classes before the places.
    nodes.push_back(named(permute({.dims = {1, 0}}), "scores"));
    Description all = described(names, nodes);
    all.classes = classes;
    return all;
  }

 private:
  LstmTaggerOptions options_;
};

}  // namespace

const Schema<LstmTaggerOptions>& LstmTaggerOptions::schema() {
  using O = LstmTaggerOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::embedding_size, "embedding_size", "Values that stand for a token.",
                 at_least(1))
          .field(&O::hidden_size, "hidden_size", "Values of the LSTM's state.", at_least(1))
          .field(&O::num_layers, "num_layers", "Layers of the LSTM.", at_least(1), at_most(1000))
          .field(&O::bidirectional, "bidirectional", "Read the tokens from the end, too.")
          .field(&O::dropout, "dropout",
                 "Share of values behind and between the LSTM's layers dropped while training.",
                 at_least(0), below(1))
          .field(&O::vocabulary, "vocabulary",
                 "How many different tokens there are; from the data when left out.", at_least(1))
          .field(&O::classes, "classes",
                 "How many different tags there are; from the data when left out.", at_least(1));
  return fields;
}

Choice<Layer> lstm_tagger(LstmTaggerOptions options) {
  return choose<Layer>("lstm_tagger", options);
}

void register_lstm_tagger(Registry<Layer>& layers) {
  layers.add<LstmTagger>(
      "lstm_tagger",
      "An LSTM over tokens, int64 [T], that scores a tag for each: [classes, T]. "
      "A mask [T] or a length may be a second input.");
}

}  // namespace hearth::layers
