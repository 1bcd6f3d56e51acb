// One row of numbers for all whole numbers that come in together.
#include "hearth/nn/layers/embedding_bag.h"

#include <ATen/ops/embedding.h>

#include <limits>

#include "hearth/config/registry.h"
#include "hearth/nn/init.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class EmbeddingBag : public Layer {
 public:
  using Options = EmbeddingBagOptions;
  explicit EmbeddingBag(EmbeddingBagOptions options) : options_(std::move(options)) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_tokens(context, "embedding_bag", input);
    const int64_t entries =
        require_vocabulary(context, "embedding_bag", "entries", input, options_.entries);
    weight_ = add_parameter("weight", normal(context, "weight", {entries, options_.size}, 1));
    Spec output;
    output.shape = {options_.size};
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    const at::Tensor rows = at::embedding(weight_, input);  // [B, T, size]
    if (!options_.padding_idx) return together(rows, {});
    return together(rows, input.ne(*options_.padding_idx).unsqueeze(2));
  }

 private:
  // Of the rows that count; of none at all, zeros.
  [[nodiscard]] at::Tensor together(const at::Tensor& rows, const at::Tensor& counts) const {
    if (options_.mode == "max") {
      if (!counts.defined()) return rows.amax(1);
      const at::Tensor largest =
          rows.masked_fill(counts.logical_not(), -std::numeric_limits<float>::infinity()).amax(1);
      return largest.masked_fill(counts.any(1).logical_not(), 0);
    }
    if (!counts.defined()) return options_.mode == "sum" ? rows.sum(1) : rows.mean(1);
    const at::Tensor sum = rows.mul(counts).sum(1);
    return options_.mode == "sum" ? sum : sum.div(counts.sum(1).clamp_min(1));
  }

  EmbeddingBagOptions options_;
  at::Tensor weight_;
};

}  // namespace

const Schema<EmbeddingBagOptions>& EmbeddingBagOptions::schema() {
  using O = EmbeddingBagOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::entries, "entries",
                 "How many different numbers come in; the input's number of classes when left out.",
                 at_least(1))
          .field(&O::size, "size", "Values that come out.", required(), at_least(1))
          .field(&O::mode, "mode", "What is made of the rows of all tokens.",
                 one_of({"mean", "sum", "max"}))
          .field(&O::padding_idx, "padding_idx", "The token that does not count.", at_least(0));
  return fields;
}

Choice<Layer> embedding_bag(EmbeddingBagOptions options) {
  return choose<Layer>("embedding_bag", options);
}

void register_embedding_bag(Registry<Layer>& layers) {
  layers.add<EmbeddingBag>("embedding_bag",
                           "One row for all tokens: int64 [T] becomes [size], the mean, sum or "
                           "maximum of their learned rows.");
}

}  // namespace hearth::layers
