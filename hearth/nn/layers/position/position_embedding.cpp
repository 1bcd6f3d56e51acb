// A learned row for each place of a sequence, added to what stands there.
#include "hearth/nn/layers/position/position_embedding.h"

#include "hearth/config/registry.h"
#include "hearth/nn/init.h"
#include "hearth/nn/requirements.h"
#include "hearth/nn/sequence_memory.h"

namespace hearth::layers {
namespace {

class PositionEmbedding : public Layer, public PlaceLimit {
 public:
  using Options = PositionEmbeddingOptions;
  explicit PositionEmbedding(PositionEmbeddingOptions options) : options_(options) {}
  [[nodiscard]] int64_t most_places() const override { return weight_.size(0); }

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_sequence(context, "position_embedding", input);
    const int64_t places = options_.length.value_or(input.shape[0]);
    if (places == kAnyLength)
      throw_input_error(context, "position_embedding", "a number of places", input,
                        "Set the option length to the longest sequence.");
    if (places < input.shape[0])
      throw_input_error(context, "position_embedding",
                        "at most " + std::to_string(places) + " places", input,
                        "Raise the option length.");
    weight_ =
        add_parameter("weight", normal(context, "weight", {places, input.shape[1]}, options_.std));
    return float_values_like(context, "position_embedding", input);
  }

  at::Tensor forward(const at::Tensor& input) override {
    if (SequenceMemory::current() == nullptr) return input.add(weight_.narrow(0, 0, input.size(1)));
    const at::Tensor numbers = place_numbers(input);
    return input.add(weight_.index_select(0, numbers.flatten()).view_as(input));
  }

 private:
  PositionEmbeddingOptions options_;
  at::Tensor weight_;
};

}  // namespace

const Schema<PositionEmbeddingOptions>& PositionEmbeddingOptions::schema() {
  using O = PositionEmbeddingOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::length, "length",
                 "How many places have a row; as many as the input has when left out.", at_least(1))
          .field(&O::std, "std", "Spread of the rows to begin with.", above(0));
  return fields;
}

Choice<Layer> position_embedding(PositionEmbeddingOptions options) {
  return choose<Layer>("position_embedding", options);
}

void register_position_embedding(Registry<Layer>& layers) {
  layers.add<PositionEmbedding>(
      "position_embedding",
      "Adds a learned row to each place of a sequence [T, D], so that order counts.");
}

}  // namespace hearth::layers
