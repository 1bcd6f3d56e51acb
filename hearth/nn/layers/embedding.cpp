// A learned row of numbers for each whole number that comes in.
#include "hearth/nn/layers/embedding.h"

#include <ATen/ops/embedding.h>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/nn/init.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class Embedding : public Layer {
 public:
  using Options = EmbeddingOptions;
  explicit Embedding(EmbeddingOptions options) : options_(options) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_tokens(context, "embedding", input);
    const int64_t entries =
        require_vocabulary(context, "embedding", "entries", input, options_.entries);
    weight_ = add_parameter("weight", normal(context, "weight", {entries, options_.size}, 1));
    Spec output;
    output.shape = input.shape;
    output.shape.push_back(options_.size);
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override { return at::embedding(weight_, input); }

 private:
  EmbeddingOptions options_;
  at::Tensor weight_;
};

}  // namespace

const Schema<EmbeddingOptions>& EmbeddingOptions::schema() {
  using O = EmbeddingOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::entries, "entries",
                 "How many different numbers come in; the input's number of classes when left out.",
                 at_least(1))
          .field(&O::size, "size", "Values that come out for each of them.", required(),
                 at_least(1));
  return fields;
}

Choice<Layer> embedding(EmbeddingOptions options) { return choose<Layer>("embedding", options); }

void register_embedding(Registry<Layer>& layers) {
  layers.add<Embedding>("embedding",
                        "A learned row of numbers for each token: int64 [T] becomes [T, size].");
}

}  // namespace hearth::layers
