// A layer that keeps only its input for the backward pass, and computes the rest again there: less
// memory for more time. Random numbers are drawn again as they were, statistics are counted once.
#include "hearth/nn/layers/composition/recompute.h"

#include <ATen/Context.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include <mutex>

#include "hearth/config/registry.h"
#include "hearth/kernels/random_stream.h"
#include "hearth/kernels/second_order.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

at::Generator generator_of(const at::Tensor& input) {
  if (random_generator()) return *random_generator();
  return at::globalContext().defaultGenerator(input.is_cuda() ? input.device()
                                                              : at::Device(at::kCPU));
}

at::Tensor random_state_of(at::Generator generator) {
  const std::scoped_lock lock(generator.mutex());
  return generator.get_state();
}

void set_random_state_of(at::Generator generator, const at::Tensor& state) {
  const std::scoped_lock lock(generator.mutex());
  generator.set_state(state);
}

// Random numbers and statistics as they are now, put back when it dies.
class Untouched {
 public:
  Untouched(const Layer& layer, const at::Generator& generator)
      : generator_(generator), random_(random_state_of(generator)), buffers_(layer.buffers()) {
    for (const auto& [name, buffer] : buffers_) before_.push_back(buffer.detach().clone());
  }
  ~Untouched() {
    const c10::AutoGradMode no_grad(false);
    for (size_t i = 0; i < buffers_.size(); ++i) buffers_[i].second.copy_(before_[i]);
    set_random_state_of(generator_, random_);
  }
  Untouched(const Untouched&) = delete;
  Untouched& operator=(const Untouched&) = delete;

 private:
  at::Generator generator_;
  at::Tensor random_;
  std::vector<NamedTensor> buffers_;
  std::vector<at::Tensor> before_;
};

std::vector<at::Tensor> parameters_of(const Layer& layer) {
  std::vector<at::Tensor> found;
  for (const auto& [name, parameter] : layer.handles()) found.push_back(parameter);
  return found;
}

struct RecomputeFunction : torch::autograd::Function<RecomputeFunction> {
  // With a graph, which is dropped at once: layers then take the very path they take without this.
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            at::TensorList /*parameters*/, Layer* layer) {
    context->save_for_backward({input});
    context->saved_data["layer"] = reinterpret_cast<int64_t>(layer);  // NOLINT: it outlives a step
    context->saved_data["random"] = random_state_of(generator_of(input));
    const c10::AutoGradMode with_gradients(true);
    return (*layer)(input.detach().set_requires_grad(input.requires_grad())).detach();
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    refuse_second_order();
    Layer& layer = *reinterpret_cast<Layer*>(context->saved_data["layer"].toInt());  // NOLINT
    const at::Tensor input = context->get_saved_variables()[0];
    const at::Tensor again = input.detach().set_requires_grad(input.requires_grad());
    std::vector<at::Tensor> wanted;
    if (again.requires_grad()) wanted.push_back(again);
    const std::vector<at::Tensor> parameters = parameters_of(layer);
    for (const at::Tensor& parameter : parameters)
      if (parameter.requires_grad()) wanted.push_back(parameter);
    // Until the gradients are there: they may need the statistics of the second time.
    const at::Generator generator = generator_of(input);
    const Untouched untouched(layer, generator);
    set_random_state_of(generator, context->saved_data["random"].toTensor());
    variable_list found = torch::autograd::grad({run_again(layer, again)}, wanted, {gradients[0]},
                                                false, false, true);
    size_t next = 0;
    variable_list results = {again.requires_grad() ? found[next++] : at::Tensor()};
    for (const at::Tensor& parameter : parameters)
      results.push_back(parameter.requires_grad() ? found[next++] : at::Tensor());
    results.emplace_back();  // of the layer itself
    return results;
  }

  static at::Tensor run_again(Layer& layer, const at::Tensor& input) {
    const c10::AutoGradMode with_gradients(true);
    return layer(input);
  }
};

class Recompute : public Layer {
 public:
  using Options = RecomputeOptions;
  explicit Recompute(RecomputeOptions options) : options_(std::move(options)) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    inner_ = add_child("", wrapped_layer(context, "recompute", options_.layer), input, context);
    return inner_->output_spec();
  }
  at::Tensor forward(const at::Tensor& input) override {
    const bool learns = is_training() && c10::GradMode::is_enabled();
    if (!learns) return (*inner_)(input);
    const std::vector<at::Tensor> parameters = parameters_of(*inner_);
    return RecomputeFunction::apply(input, at::TensorList(parameters), inner_);
  }

 private:
  RecomputeOptions options_;
  Layer* inner_ = nullptr;
};

}  // namespace

const Schema<RecomputeOptions>& RecomputeOptions::schema() {
  using O = RecomputeOptions;
  static const auto fields = Schema<O>().field(
      &O::layer, "layer",
      "The layer or block with one input and one output; the edit `wrap` gives it.");
  return fields;
}

Choice<Layer> recompute(RecomputeOptions options) { return choose<Layer>("recompute", options); }

void register_recompute(Registry<Layer>& layers) {
  layers.add<Recompute>("recompute",
                        "Keeps only a layer's input for the backward pass and computes the rest "
                        "again there: less memory, more time, the same bits.");
}

}  // namespace hearth::layers
