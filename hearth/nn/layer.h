// A layer: parameters, buffers and children by name, one virtual `forward`, and one call path that
// carries the hooks. For people who write a layer.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "hearth/config/choice.h"
#include "hearth/core/spec.h"
#include "hearth/kernels/kernels.h"
#include "hearth/kernels/weight_order.h"
#include "hearth/tensor/state.h"

namespace hearth {

class CallProfile;

// What a layer may need to know when it is built, besides its input.
struct BuildContext {
  uint64_t seed = 0;
  std::string path;     // "net.features.0": parameters draw their first values from (seed, path)
  int64_t classes = 0;  // of the data's target; 0 when it has none
  Kernels kernels = Kernels::kFast;
};

// What comes right after a layer and may be computed with it: relu(output + addend).
struct Tail {
  at::Tensor addend = {};  // undefined for none
  bool relu = false;
};

class Layer {
 public:
  // May read and replace what goes in, or what comes out.
  using Hook = std::function<void(const Layer& layer, at::Tensor& value)>;

  virtual ~Layer() = default;
  Layer() = default;
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  // Makes the parameters for this input and says what comes out. Called once; GraphError with the
  // layer's path when the input does not fit.
  Spec build(const Spec& input, const BuildContext& context);
  // The call path: hooks before, forward, hooks after, then the tail; forward and tail in one pass
  // when the layer can and nobody listens to what it gives. LibTorch's errors become GraphError
  // with the layer's path and the input's shape.
  at::Tensor operator()(const at::Tensor& input, const Tail& tail = {});

  void add_hook_before(Hook hook) { before_.push_back(std::move(hook)); }
  void add_hook_after(Hook hook) { after_.push_back(std::move(hook)); }
  void clear_hooks();
  // Whether this layer or one below it has a hook.
  [[nodiscard]] bool is_hooked() const;
  // Who times the calls of this layer and of those below it; null for nobody. Unlike hooks, it
  // leaves layers that are computed together together.
  void set_profile(CallProfile* profile);
  [[nodiscard]] bool is_profiled() const { return profile_ != nullptr; }

  void set_training(bool is_training);
  [[nodiscard]] bool is_training() const { return is_training_; }
  [[nodiscard]] Kernels kernels() const { return kernels_; }
  // Whether it is a relu that a layer before it may take over.
  [[nodiscard]] virtual bool is_relu() const { return false; }
  void set_trainable(bool is_trainable);  // false: no gradients for this layer's parameters
  void move_to(at::Device device);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const Spec& input_spec() const { return input_; }
  [[nodiscard]] const Spec& output_spec() const { return output_; }
  // In order of registration, depth first; names are relative: "0.weight". Ordinary tensors: asking
  // for a packed parameter unpacks it. One that the step which runs has used already stays packed,
  // and what comes is a copy that autograd follows.
  [[nodiscard]] std::vector<NamedTensor> parameters() const;
  // The same tensors, as they lie in memory: for who they are, not for what they hold.
  [[nodiscard]] std::vector<NamedTensor> handles() const;
  [[nodiscard]] std::vector<NamedTensor> buffers() const;
  [[nodiscard]] int64_t parameter_count() const;
  [[nodiscard]] std::vector<std::pair<std::string, Layer*>> children() const;
  // Multiply-adds of one sample's forward pass: of this layer alone, and with all below it. Layers
  // that are built know it; what is cheap beside convolutions and products counts as nothing.
  [[nodiscard]] virtual double work() const { return 0; }
  [[nodiscard]] double total_work() const;

  // Before a training step: parameters that learn are packed, in the order in memory their kernels
  // want, and stay so from step to step. Not those that somebody else holds, besides `holders` who
  // know what a packed one is: whoever holds a parameter sees an ordinary tensor.
  void pack(size_t holders);
  void unpack() const;  // not what the step that runs has used already
  // Only a step's graphs are made of packed parameters: a call outside one that autograd follows
  // unpacks them first.
  void set_in_step(bool is_in_step);

 protected:
  // Registers parameters and children; returns the output's spec.
  virtual Spec prepare(const Spec& input, const BuildContext& context) = 0;
  virtual at::Tensor forward(const at::Tensor& input) = 0;
  // For layers with a kernel that does both in one pass.
  virtual at::Tensor forward(const at::Tensor& input, const Tail& tail);
  // In which order in memory its kernel wants a parameter that learns; null for the ordinary one.
  // For layers that keep their parameters as members of type at::Tensor, and can compute with both
  // forms.
  [[nodiscard]] virtual const WeightOrder* wanted_order(const at::Tensor& parameter) {
    (void)parameter;
    return nullptr;
  }

  // What is registered is saved, moved and, when a parameter, trained. First values: init.h.
  at::Tensor& add_parameter(const std::string& name, at::Tensor value);
  at::Tensor& add_buffer(const std::string& name, at::Tensor value);
  // Builds the child for `input`, names it, and returns its output spec.
  Spec add_child(const std::string& name, std::unique_ptr<Layer> child, const Spec& input,
                 const BuildContext& context);
  // Several children of which each takes what the one before it gives; `run_chain` calls them.
  Spec add_chain(const std::vector<std::pair<std::string, Choice<Layer>>>& layers,
                 const Spec& input, const BuildContext& context);
  at::Tensor run_chain(const at::Tensor& input, const Tail& tail = {});
  // relu(layer(input) + addend); in one pass when nobody listens to the relu.
  at::Tensor call_with_relu(Layer& layer, Layer& relu, const at::Tensor& input,
                            const at::Tensor& addend = {}) const;
  [[nodiscard]] Layer& child(size_t index) const { return *children_[index].second; }
  [[nodiscard]] size_t child_count() const { return children_.size(); }

 private:
  [[nodiscard]] bool has_hooks() const { return !before_.empty() || !after_.empty(); }
  // Whether a layer before `next` may compute what `next` would.
  [[nodiscard]] bool takes_over(const Layer& next) const;
  [[nodiscard]] at::Tensor guarded(const at::Tensor& value, const Tail& tail);

  // Every tensor of one sort in this layer and below it, by relative name.
  enum class Sort { kParameter, kOrdinaryParameter, kBuffer };
  void gather(Sort sort, const std::string& prefix, std::vector<NamedTensor>& found) const;
  void unpack_own() const;
  [[nodiscard]] double wanted_gradients(const at::Tensor& input) const;
  void report_call(CallProfile& profile, const at::Tensor& input) const;

  std::string path_;
  Spec input_;
  Spec output_;
  bool is_training_ = true;
  bool is_in_step_ = false;
  Kernels kernels_ = Kernels::kFast;
  // Tensors live behind stable addresses so that the references handed out stay valid.
  std::vector<std::pair<std::string, std::unique_ptr<at::Tensor>>> parameters_;
  std::vector<std::vector<int64_t>> sizes_;  // of the parameters, unpacked
  std::vector<std::pair<std::string, std::unique_ptr<at::Tensor>>> buffers_;
  std::vector<std::pair<std::string, std::unique_ptr<Layer>>> children_;
  std::vector<Hook> before_;
  std::vector<Hook> after_;
  CallProfile* profile_ = nullptr;
};

}  // namespace hearth
