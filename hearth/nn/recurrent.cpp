// Recurrent layers: what further inputs mean, and the way through layers and directions.
#include "hearth/nn/recurrent.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/stack.h>

#include <algorithm>
#include <cmath>

#include "hearth/base/error.h"
#include "hearth/kernels/dropout/dropout.h"
#include "hearth/kernels/product/linear.h"
#include "hearth/nn/init.h"
#include "hearth/nn/requirements.h"

namespace hearth {
namespace {

std::string state_text(const RecurrentSettings& settings) {
  return "[" + std::to_string(settings.num_layers * settings.directions()) + ", " +
         std::to_string(settings.hidden_size) + "]";
}

[[noreturn]] void throw_further(const RecurrentSettings& settings, const Spec& sequence,
                                const Spec& further, const BuildContext& context) {
  throw GraphError(context.path + " " + settings.layer +
                   ": besides the sequence it takes a mask [" + std::to_string(sequence.shape[0]) +
                   "] or a length, and a first state " + state_text(settings) +
                   (settings.has_cell() ? " with its cells" : "") + ", each once, but got " +
                   further.text() + ". Name such keys in `in`.");
}

// The tensors of a call by what they are.
struct GivenTensors {
  at::Tensor mask;  // bool [T, B]: where something is
  at::Tensor hidden;
  at::Tensor cell;  // [B, layers * directions, H]
};

GivenTensors given_tensors(std::span<const at::Tensor> inputs,
                           const std::vector<RecurrentInput>& further) {
  GivenTensors tensors;
  for (size_t i = 1; i < inputs.size(); ++i) {
    const at::Tensor& given = inputs[i];
    if (!given.defined()) continue;
    const RecurrentInput what = further.at(i - 1);
    if (what == RecurrentInput::kHidden) tensors.hidden = given;
    if (what == RecurrentInput::kCell) tensors.cell = given;
    if (what == RecurrentInput::kMask) tensors.mask = given.ne(0).transpose(0, 1).contiguous();
    if (what == RecurrentInput::kLength)
      tensors.mask = at::arange(inputs[0].size(1), given.options()).unsqueeze(1).lt(given);
  }
  return tensors;
}

class RecurrentRun {
 public:
  RecurrentRun(const RecurrentSettings& settings, Kernels kernels, GivenTensors given)
      : settings_(settings), kernels_(kernels), given_(std::move(given)) {}

  // [T, B, D] through one direction of one layer; `number` is its place among the states.
  at::Tensor through(const at::Tensor& value, const RecurrentWeights& own, int64_t number) {
    const bool is_reverse = settings_.bidirectional && number % 2 == 1;
    const auto first = [number](const at::Tensor& states) {
      return states.defined() ? states.select(1, number) : states;
    };
    const RecurrentStates states =
        run_recurrence(kernels_, {settings_.cell, is_reverse, own.weight_hh, own.bias_hh},
                       linear_product(kernels_, value, own.weight_ih, own.bias_ih),
                       {first(given_.hidden), first(given_.cell)}, given_.mask);
    const RecurrentState last = states.last(is_reverse);
    hidden_.push_back(last.hidden);
    if (last.cell.defined()) cells_.push_back(last.cell);
    if (!given_.mask.defined()) return states.hidden;
    return states.hidden.masked_fill(given_.mask.logical_not().unsqueeze(2), 0);
  }

  [[nodiscard]] at::Tensor output(const std::string& name, const at::Tensor& sequence) const {
    if (name == "sequence") return sequence.transpose(0, 1);
    if (name == "state") return at::stack(hidden_, 1);
    if (name == "cell") return at::stack(cells_, 1);
    if (!settings_.bidirectional) return hidden_.back();
    return at::cat({hidden_[hidden_.size() - 2], hidden_.back()}, 1);
  }

 private:
  const RecurrentSettings& settings_;
  Kernels kernels_;
  GivenTensors given_;
  std::vector<at::Tensor> hidden_;  // last states, of all layers and directions
  std::vector<at::Tensor> cells_;
};

}  // namespace

std::vector<RecurrentInput> recurrent_inputs(const RecurrentSettings& settings,
                                             std::span<const Spec> inputs,
                                             const BuildContext& context) {
  const Spec& sequence = inputs.front();
  require_sequence(context, settings.layer, sequence);
  const std::vector<int64_t> state = {settings.num_layers * settings.directions(),
                                      settings.hidden_size};
  std::vector<RecurrentInput> further;
  const auto is_new = [&](RecurrentInput what) {
    return std::find(further.begin(), further.end(), what) == further.end();
  };
  for (const Spec& spec : inputs.subspan(1)) {
    const bool says_places =
        !spec.is_per_batch && is_new(RecurrentInput::kMask) && is_new(RecurrentInput::kLength);
    const bool is_state = spec.shape == state && spec.dtype == DType::kFloat32;
    if (says_places && spec.shape == std::vector<int64_t>{sequence.shape[0]})
      further.push_back(RecurrentInput::kMask);
    else if (says_places && spec.shape.empty() && !is_floating(spec.dtype))
      further.push_back(RecurrentInput::kLength);
    else if (is_state && is_new(RecurrentInput::kHidden))
      further.push_back(RecurrentInput::kHidden);
    else if (is_state && settings.has_cell() && is_new(RecurrentInput::kCell))
      further.push_back(RecurrentInput::kCell);
    else
      throw_further(settings, sequence, spec, context);
  }
  return further;
}

std::vector<Spec> recurrent_outputs(const RecurrentSettings& settings, const Spec& input) {
  const int64_t width = settings.directions() * settings.hidden_size;
  std::vector<Spec> outputs;
  for (const std::string& name : settings.output) {
    Spec spec;
    if (name == "sequence")
      spec.shape = {input.shape[0], width};
    else if (name == "last")
      spec.shape = {width};
    else
      spec.shape = {settings.num_layers * settings.directions(), settings.hidden_size};
    outputs.push_back(std::move(spec));
  }
  return outputs;
}

std::vector<at::Tensor> run_recurrent(const RecurrentSettings& settings, Kernels kernels,
                                      const std::vector<RecurrentWeights>& weights,
                                      std::span<const at::Tensor> inputs,
                                      const std::vector<RecurrentInput>& further) {
  RecurrentRun run(settings, kernels, given_tensors(inputs, further));
  at::Tensor value = inputs[0].transpose(0, 1);
  for (int64_t layer = 0; layer < settings.num_layers; ++layer) {
    if (layer > 0 && settings.dropout > 0) value = drop_values(kernels, value, settings.dropout);
    std::vector<at::Tensor> parts;
    for (int64_t i = layer * settings.directions(); i < (layer + 1) * settings.directions(); ++i)
      parts.push_back(run.through(value, weights[static_cast<size_t>(i)], i));
    value = parts.size() == 1 ? parts.front() : at::cat(parts, 2);
  }
  std::vector<at::Tensor> outputs;
  for (const std::string& name : settings.output) outputs.push_back(run.output(name, value));
  return outputs;
}

at::Tensor recurrent_values(const RecurrentSettings& settings, const BuildContext& context,
                            const std::string& name, std::vector<int64_t> shape) {
  return uniform(context, name, shape, 1 / std::sqrt(static_cast<double>(settings.hidden_size)));
}

}  // namespace hearth
