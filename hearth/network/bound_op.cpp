// One network op of a plan, with everything looked up.
#include "hearth/network/bound_op.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/place.h"
#include "hearth/nn/time_profile.h"
#include "hearth/tensor/convert.h"
#include "hearth/tensor/real_rows.h"

namespace hearth {
namespace {

std::string keys_and_shapes(std::span<const at::Tensor> inputs) {
  std::vector<std::string> texts;
  for (const at::Tensor& input : inputs) texts.push_back(describe(input));
  return join(texts, ", ");
}

LossCount count_of_inputs(const BoundOp& bound, const std::vector<LossCount>& counts) {
  for (const int index : bound.inputs)
    if (const LossCount& count = counts[static_cast<size_t>(index)]; count.is_told()) return count;
  return {};
}

}  // namespace

void run_bound_op(const BoundOp& bound, NetworkOp& op, StepContext& context,
                  std::vector<at::Tensor>& values, TimeProfile* profile) {
  std::vector<at::Tensor> inputs;
  for (size_t k = 0; k < bound.inputs.size(); ++k) {
    const at::Tensor& value = values[static_cast<size_t>(bound.inputs[k])];
    inputs.push_back(
        bound.makes_one_value ? real_rows(value, bound.input_specs[k], context.real_rows) : value);
  }
  std::vector<at::Tensor> outputs(bound.outputs.size());
  context.is_last_update = bound.is_last_update;
  if (context.loss_counts != nullptr)
    context.output_count = context.input_count = count_of_inputs(bound, *context.loss_counts);
  at_place(bound.mark, [&] {
    try {
      const ProfiledScope profiled(profile,
                                   [&](TimeProfile& entered) { entered.enter(bound.label); });
      op.run(context, inputs, outputs);
    } catch (const std::exception&) {
      throw GraphError(bound.label + " failed on " + keys_and_shapes(inputs) + ": " +
                       what_libtorch_threw());
    }
  });
  for (size_t k = 0; k < outputs.size(); ++k) {
    if (bound.outputs[k] < 0) continue;
    const auto index = static_cast<size_t>(bound.outputs[k]);
    values[index] = std::move(outputs[k]);
    if (context.loss_counts != nullptr)
      (*context.loss_counts)[index] = bound.makes_one_value ? context.output_count : LossCount();
  }
}

}  // namespace hearth
