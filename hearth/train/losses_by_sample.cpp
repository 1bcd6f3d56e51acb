// The losses of a batch sample by sample.
#include "hearth/train/losses_by_sample.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <set>

#include "hearth/base/error.h"

namespace hearth {
namespace {

// Ops from the values of samples to one of the batch: losses, their sums and weights.
std::vector<const BoundOp*> loss_ops(const CompiledPlan& compiled) {
  std::vector<const BoundOp*> ops;
  for (const BoundOp& bound : compiled.ops)
    if (bound.makes_one_value && bound.losses.empty() && !bound.is_update() &&
        !bound.op->takes_gradients() && !bound.op->has_effect())
      ops.push_back(&bound);
  return ops;
}

std::set<int> loss_values(const CompiledPlan& compiled) {
  std::set<int> values;
  for (const BoundOp& bound : compiled.ops) values.insert(bound.losses.begin(), bound.losses.end());
  return values;
}

std::vector<at::Tensor> row_values(const CompiledPlan& compiled, std::vector<at::Tensor> values,
                                   int64_t row) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (!values[i].defined() || compiled.plan.values[i].spec.is_per_batch) continue;
    if (values[i].dim() > 0 && values[i].size(0) > row)
      values[i] = values[i].detach().narrow(0, row, 1);
  }
  return values;
}

bool has_inputs(const BoundOp& bound, const std::vector<at::Tensor>& values) {
  return std::all_of(bound.inputs.begin(), bound.inputs.end(),
                     [&](const int index) { return values[static_cast<size_t>(index)].defined(); });
}

}  // namespace

std::vector<std::map<std::string, double>> losses_by_sample(const CompiledPlan& compiled,
                                                            const std::vector<at::Tensor>& all_rows,
                                                            int64_t samples, const Moment& moment) {
  const at::AutoGradMode no_gradients(false);
  const std::vector<const BoundOp*> ops = loss_ops(compiled);
  std::vector<std::map<std::string, double>> all(static_cast<size_t>(samples));
  for (int64_t row = 0; row < samples; ++row) {
    std::vector<at::Tensor> values = row_values(compiled, all_rows, row);
    StepContext context;
    context.moment = moment;
    std::set<int> made;
    for (const BoundOp* bound : ops) try {
        if (!has_inputs(*bound, values)) continue;
        run_bound_op(*bound, *bound->op, context, values, nullptr);
        made.insert(bound->outputs.begin(), bound->outputs.end());
      } catch (const Error&) {
        continue;  // it wants several samples
      }
    for (const int index : loss_values(compiled)) {
      const at::Tensor& loss = values[static_cast<size_t>(index)];
      if (made.contains(index) && loss.defined() && loss.numel() == 1)
        all[static_cast<size_t>(row)][compiled.plan.values[static_cast<size_t>(index)].key] =
            loss.item<double>();
    }
  }
  return all;
}

}  // namespace hearth
