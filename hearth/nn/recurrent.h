// Recurrent layers: one implementation for all cells. A layer is a struct with a name, options, and
// the cell that its options ask for:
//   struct Gru {
//     using Options = GruOptions;
//     static constexpr const char* name = "gru";
//     static RecurrentCell cell(const Options&) { return RecurrentCell::kGru; }
//   };
//   layers.add<Recurrent<Gru>>(Gru::name, "...");
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hearth/kernels/recurrence/recurrence.h"
#include "hearth/nn/layer.h"

namespace hearth {

// What all recurrent layers are told; the fields have these names in their options.
struct RecurrentSettings {
  std::string layer;
  RecurrentCell cell = RecurrentCell::kTanh;
  int64_t hidden_size = 0;
  int64_t num_layers = 1;
  bool bias = true;
  double dropout = 0;
  bool bidirectional = false;
  std::vector<std::string> output = {};

  [[nodiscard]] int64_t directions() const { return bidirectional ? 2 : 1; }
  [[nodiscard]] bool has_cell() const { return cell == RecurrentCell::kLstm; }
};

// The parameters of one layer in one direction, by PyTorch's names.
struct RecurrentWeights {
  at::Tensor weight_ih;
  at::Tensor weight_hh;
  at::Tensor bias_ih;  // undefined without biases
  at::Tensor bias_hh;
};

// What a further input of a recurrent layer is; its shape says it.
enum class RecurrentInput : uint8_t { kMask, kLength, kHidden, kCell };
// GraphError for one that is none of them.
[[nodiscard]] std::vector<RecurrentInput> recurrent_inputs(const RecurrentSettings& settings,
                                                           std::span<const Spec> inputs,
                                                           const BuildContext& context);
[[nodiscard]] std::vector<Spec> recurrent_outputs(const RecurrentSettings& settings,
                                                  const Spec& input);

// The whole computation: `inputs` are the sequence [B, T, D] and those of `further`, any of which
// may be undefined; gives what the settings' `output` names.
[[nodiscard]] std::vector<at::Tensor> run_recurrent(const RecurrentSettings& settings,
                                                    Kernels kernels,
                                                    const std::vector<RecurrentWeights>& weights,
                                                    std::span<const at::Tensor> inputs,
                                                    const std::vector<RecurrentInput>& further);

// First values of one parameter, as PyTorch draws them.
[[nodiscard]] at::Tensor recurrent_values(const RecurrentSettings& settings,
                                          const BuildContext& context, const std::string& name,
                                          std::vector<int64_t> shape);

template <class Cell>
class Recurrent : public Layer {
 public:
  using Options = typename Cell::Options;
  explicit Recurrent(const Options& o)
      : settings_{Cell::name, Cell::cell(o), o.hidden_size,   o.num_layers,
                  o.bias,     o.dropout,     o.bidirectional, o.output} {}

  [[nodiscard]] double work() const override {
    double values = 0;
    for (const RecurrentWeights& own : weights_)
      values += static_cast<double>(own.weight_ih.numel() + own.weight_hh.numel());
    return static_cast<double>(input_spec().shape[0]) * values;
  }

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    further_ = recurrent_inputs(settings_, inputs, context);
    weights_.clear();
    int64_t width = inputs.front().shape[1];
    for (int64_t layer = 0; layer < settings_.num_layers; ++layer) {
      for (const char* direction : {"", "_reverse"}) {
        if (*direction != 0 && !settings_.bidirectional) continue;
        weights_.push_back(add_weights("_l" + std::to_string(layer) + direction, width, context));
      }
      width = settings_.directions() * settings_.hidden_size;
    }
    return recurrent_outputs(settings_, inputs.front());
  }

  void forward(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) override {
    RecurrentSettings settings = settings_;
    if (!is_training()) settings.dropout = 0;
    std::vector<at::Tensor> results =
        run_recurrent(settings, kernels(), weights_, inputs, further_);
    for (size_t i = 0; i < outputs.size(); ++i) outputs[i] = std::move(results[i]);
  }

 private:
  RecurrentWeights add_weights(const std::string& suffix, int64_t width,
                               const BuildContext& context) {
    const int64_t rows = gates_of(settings_.cell) * settings_.hidden_size;
    const auto added = [&](const std::string& name, std::vector<int64_t> shape) {
      return add_parameter(name, recurrent_values(settings_, context, name, std::move(shape)));
    };
    RecurrentWeights own;
    own.weight_ih = added("weight_ih" + suffix, {rows, width});
    own.weight_hh = added("weight_hh" + suffix, {rows, settings_.hidden_size});
    if (!settings_.bias) return own;
    own.bias_ih = added("bias_ih" + suffix, {rows});
    own.bias_hh = added("bias_hh" + suffix, {rows});
    return own;
  }

  RecurrentSettings settings_;
  std::vector<RecurrentInput> further_;
  std::vector<RecurrentWeights> weights_;
};

// The fields of all recurrent layers.
template <class O>
Schema<O> recurrent_fields(bool has_cell) {
  std::vector<std::string> outputs = {"sequence", "last", "state"};
  std::string what =
      "What comes out, one or several: sequence, the state at every place; last, that of the last "
      "layer behind the sequence; state, those of all layers and directions";
  if (has_cell) {
    outputs.emplace_back("cell");
    what += "; cell, their cells";
  }
  return Schema<O>()
      .field(&O::hidden_size, "hidden_size", "Values of the state.", required(), at_least(1))
      .field(&O::num_layers, "num_layers", "Layers, each over what the one before it gives.",
             at_least(1), at_most(1000))
      .field(&O::bias, "bias", "Add learned biases.")
      .field(&O::dropout, "dropout",
             "Share of values between two layers that is dropped while training.", at_least(0),
             below(1))
      .field(&O::bidirectional, "bidirectional",
             "Go through the sequence from the end, too; both results beside each other.")
      .field(&O::output, "output", what + ".", not_empty(), one_of(outputs));
}

}  // namespace hearth
