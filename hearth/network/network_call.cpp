// One network op of a plan, with everything looked up.
#include "hearth/network/network_call.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/nn/call_profile.h"
#include "hearth/tensor/convert.h"

namespace hearth {
namespace {

std::string keys_and_shapes(std::span<const at::Tensor> inputs) {
  std::vector<std::string> texts;
  for (const at::Tensor& input : inputs) texts.push_back(describe(input));
  return join(texts, ", ");
}

}  // namespace

void run_call(const NetworkCall& call, NetworkOp& op, StepContext& context,
              std::vector<at::Tensor>& values, CallProfile* profile) {
  std::vector<at::Tensor> inputs;
  for (int slot : call.inputs) inputs.push_back(values[static_cast<size_t>(slot)]);
  std::vector<at::Tensor> outputs(call.outputs.size());
  context.is_last_update = call.is_last_update;
  try {
    const ProfiledCall profiled(profile, [&](CallProfile& entered) { entered.enter(call.label); });
    op.run(context, inputs, outputs);
  } catch (const std::exception&) {
    throw GraphError(call.label + " failed on " + keys_and_shapes(inputs) + ": " +
                     what_libtorch_threw());
  }
  for (size_t k = 0; k < outputs.size(); ++k)
    if (call.outputs[k] >= 0) values[static_cast<size_t>(call.outputs[k])] = std::move(outputs[k]);
}

}  // namespace hearth
