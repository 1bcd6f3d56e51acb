// The ops of a plan on one batch, one after the other.
#include "hearth/network/step_run.h"

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include "hearth/network/step_watch.h"

namespace hearth {
namespace {

at::Generator step_generator(at::Device device) {
  return at::globalContext().defaultGenerator(device.is_cuda() ? device : at::Device(at::kCPU));
}

at::Tensor random_state(at::Device device) {
  at::Generator generator = step_generator(device);
  const std::scoped_lock lock(generator.mutex());
  return generator.get_state();
}

void set_random_state(at::Device device, const at::Tensor& state) {
  at::Generator generator = step_generator(device);
  const std::scoped_lock lock(generator.mutex());
  generator.set_state(state);
}

}  // namespace

void find_sources(std::vector<BoundOp>& ops) {
  for (size_t i = 0; i < ops.size(); ++i) {
    if (!ops[i].op->reruns()) continue;
    std::set<int> wanted(ops[i].inputs.begin(), ops[i].inputs.end());
    for (size_t k = i; k-- > 0;) {
      const std::vector<int>& written = ops[k].outputs;
      if (std::none_of(written.begin(), written.end(),
                       [&](int index) { return index >= 0 && wanted.contains(index); }))
        continue;
      wanted.insert(ops[k].inputs.begin(), ops[k].inputs.end());
      ops[i].sources.insert(ops[i].sources.begin(), k);
      ops[k].is_source = true;
    }
  }
}

void StepRun::run() {
  StepWatch* untold = context_.watch;
  for (at_ = 0; at_ < ops_.size(); ++at_) {
    const BoundOp& bound = ops_[at_];
    if (untold != nullptr && !bound.losses.empty())
      std::exchange(untold, nullptr)->on_loss(values_);
    if (bound.is_source) {
      random_.resize(ops_.size());
      random_[at_] = random_state(models_.device);
    }
    context_.rerun = bound.sources.empty() ? nullptr : this;
    run_bound_op(bound, *bound.op, context_, values_, profile_);
  }
  context_.rerun = nullptr;
  if (untold != nullptr) untold->on_loss(values_);
}

std::vector<NamedTensor> StepRun::buffers(const BoundOp& op) const {
  std::vector<NamedTensor> kept;
  for (const size_t source : op.sources)
    for (const std::string& name : ops_[source].op->model_names())
      for (const auto& model : models_.all())
        if (model->name() == name)
          for (const auto& [buffer, tensor] : model->layer().buffers())
            kept.emplace_back(buffer, tensor);
  return kept;
}

std::vector<at::Tensor> StepRun::operator()() {
  const BoundOp& asking = ops_[at_];
  const at::Tensor random = random_state(models_.device);
  const std::vector<NamedTensor> kept = buffers(asking);
  std::vector<at::Tensor> before;
  for (const auto& [name, tensor] : kept) before.push_back(tensor.clone());
  std::vector<at::Tensor> values = values_;
  StepContext context = context_;
  for (const size_t source : asking.sources) {
    set_random_state(models_.device, random_[source]);
    run_bound_op(ops_[source], *ops_[source].op, context, values, profile_);
  }
  set_random_state(models_.device, random);
  const at::AutoGradMode no_gradients(false);
  for (size_t i = 0; i < kept.size(); ++i) kept[i].second.copy_(before[i]);
  std::vector<at::Tensor> inputs;
  for (const int index : asking.inputs) inputs.push_back(values[static_cast<size_t>(index)]);
  return inputs;
}

}  // namespace hearth
