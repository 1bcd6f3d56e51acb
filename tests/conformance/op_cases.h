// For tests: network ops as their cases describe them, and what comes of running them.
#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/softmax.h>

#include <memory>
#include <string>
#include <vector>

#include "hearth/kernels/random_stream.h"
#include "hearth/network/network_fixture.h"
#include "hearth/nn/layers/linear.h"
#include "tests/conformance/layer_cases.h"

namespace hearth {

// Ops that find gradients, change them or move parameters have no values of their own: what they do
// shows in parameters, after a step.
inline bool is_about_steps(const NetworkOp& op) {
  return op.takes_gradients() || !op.losses().empty() || op.writes().empty();
}

// A batch of a key.
inline at::Tensor op_input(const Spec& spec) {
  std::vector<int64_t> sizes = spec.shape;
  if (!spec.is_per_batch) sizes.insert(sizes.begin(), kCaseBatch);
  const bool is_soft_label = spec.role == Role::kClass && spec.dtype != DType::kInt64;
  if (is_soft_label) return at::softmax(at::randn(sizes), 1);
  if (spec.dtype != DType::kInt64) return at::randn(sizes);
  return at::randint(std::max<int64_t>(spec.classes, 1), sizes, at::kLong);
}

// An op with the models it brings along, and a linear one, `net`, for those that ask for a model.
class TriedOp {
 public:
  TriedOp(const Choice<NetworkOp>& choice, Kernels kernels, const std::vector<Spec>& specs)
      : models_(models_of({.build = layers::linear({.out_features = kCaseClasses})})) {
    models_.kernels = kernels;
    (void)models_.find("net").build(image_spec(), 7, kCaseClasses, at::kCPU, kernels);
    for (OwnModel& own : registry<NetworkOp>().make(choice)->own_models())
      models_.add(std::make_unique<Model>(own.name, *own.options, std::move(own.layer)));
    op_ = bound(choice, models_);
    outputs_ = op_->infer(specs);
  }

  // What `call` and the like read.
  [[nodiscard]] static Spec image_spec() { return sample_spec({5}); }

  void use_double() {
    for (const auto& model : models_.all()) make_double(model->layer().parameters());
  }
  [[nodiscard]] const std::vector<Spec>& outputs() const { return outputs_; }
  // Of all its models.
  [[nodiscard]] std::vector<NamedTensor> parameters() const {
    std::vector<NamedTensor> all;
    for (const auto& model : models_.all())
      for (const auto& [name, tensor] : model->layer().parameters())
        all.emplace_back(model->name() + "/" + name, tensor);
    return all;
  }

  // Outputs in mode infer. What is random draws the same every time, whatever others draw.
  [[nodiscard]] std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) const {
    const RandomStream stream(at::make_generator<at::CPUGeneratorImpl>(1));
    std::vector<at::Tensor> outputs(op_->writes().size());
    StepContext context;
    context.mode = Mode::kInfer;
    op_->run(context, inputs, outputs);
    return outputs;
  }

  // Losses of a batch in training, and what they are the mean of.
  [[nodiscard]] std::pair<std::vector<at::Tensor>, LossCount> losses(
      const std::vector<at::Tensor>& inputs) const {
    std::vector<at::Tensor> outputs(op_->writes().size());
    std::vector<LossCount> counts;
    StepContext context;
    context.loss_counts = &counts;
    op_->run(context, inputs, outputs);
    return {outputs, context.output_count};
  }

  // Outputs, and gradients of inputs and parameters; undefined where there is none. Every value of
  // an output counts in its own way.
  [[nodiscard]] Results run(const std::vector<at::Tensor>& values, at::ScalarType type) {
    std::vector<at::Tensor> inputs;
    for (const at::Tensor& value : values) inputs.push_back(own_input(value, type));
    std::vector<at::Tensor> outputs(op_->writes().size());
    at::manual_seed(1);
    StepContext context;
    op_->run(context, inputs, outputs);
    Results results;
    at::Tensor sum;
    for (size_t i = 0; i < outputs.size(); ++i) {
      results.emplace_back("output " + std::to_string(i), outputs[i].detach());
      if (!outputs[i].requires_grad()) continue;
      const at::Tensor part = outputs[i].reshape({-1}).mul(flow(outputs[i])).sum();
      sum = sum.defined() ? sum.add(part) : part;
    }
    if (sum.defined()) sum.backward();
    for (size_t i = 0; i < inputs.size(); ++i)
      results.emplace_back("the gradient of input " + std::to_string(i), inputs[i].grad());
    for (const auto& [name, tensor] : parameters()) {
      results.emplace_back("the gradient of " + name, tensor.grad());
      tensor.mutable_grad() = at::Tensor();
    }
    return results;
  }

 private:
  [[nodiscard]] static at::Tensor flow(const at::Tensor& output) {
    return at::linspace(-1, 2, output.numel(), output.options().requires_grad(false));
  }

  ModelSet models_;
  std::unique_ptr<NetworkOp> op_;
  std::vector<Spec> outputs_;
};

// Tests over the cases of network ops that write values.
class OpCaseTest : public CaseTest<NetworkOp, KeysCase> {
 protected:
  void SetUp() override {
    CaseTest::SetUp();
    if (HasFatalFailure()) return;
    for (const std::string& key : make()->reads())
      specs_.push_back(key == "image" ? TriedOp::image_spec() : GetParam().tried.spec(key));
  }
  [[nodiscard]] std::unique_ptr<TriedOp> tried_op(Kernels kernels) const {
    return std::make_unique<TriedOp>(choice(), kernels, specs_);
  }
  [[nodiscard]] std::vector<at::Tensor> inputs(uint64_t seed) const {
    at::manual_seed(seed);
    std::vector<at::Tensor> values;
    for (const Spec& spec : specs_) values.push_back(op_input(spec));
    return values;
  }

  std::vector<Spec> specs_;
};

inline std::vector<Tried<NetworkOp, KeysCase>> value_op_cases() {
  auto cases = all_cases<NetworkOp, KeysCase>();
  std::erase_if(cases, [](const auto& tried) {
    return tried.fault.empty() && is_about_steps(*registry<NetworkOp>().make(tried.choice));
  });
  return cases;
}

}  // namespace hearth
