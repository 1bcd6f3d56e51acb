// A layer: what it computes, and one path that every call takes. It keeps its place in the tree
// (layer_tree.h), who listens to its calls (call_path.h) and the form of its weights
// (weight_packing.h). For people who write a layer.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "hearth/config/choice.h"
#include "hearth/core/spec.h"
#include "hearth/kernels/kernels.h"
#include "hearth/nn/build_context.h"
#include "hearth/nn/call_path.h"
#include "hearth/nn/description.h"
#include "hearth/nn/layer_tree.h"
#include "hearth/nn/weight_packing.h"

namespace hearth {

class TimeProfile;
class LayerGraph;

class Layer {
 public:
  using Hook = CallPath::Hook;

  virtual ~Layer();
  Layer();
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  // Makes the parameters for these inputs and says what comes out; GraphError with the layer's path
  // when they do not fit. For a later shape of the context, parameters stay as they are.
  std::vector<Spec> build(std::span<const Spec> inputs, const BuildContext& context);
  Spec build(const Spec& input, const BuildContext& context);
  // Which of the shapes it was built for it answers for from now on; all below it too.
  void select_shape(size_t shape);

  // The call path: hooks before, forward, hooks after, then the tail; forward and tail in one pass
  // when the layer can and nobody listens to what it gives. LibTorch's errors become GraphError
  // with the layer's path and the input's shape.
  at::Tensor operator()(const at::Tensor& input, const Tail& tail = {});
  // Of several values; an undefined tensor stands for an optional input that is not there.
  void operator()(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs);

  void add_hook_before(Hook hook) { calls_.add_before(std::move(hook)); }
  void add_hook_after(Hook hook) { calls_.add_after(std::move(hook)); }
  // Takes away the hook after it that was added last.
  void remove_hook_after() { calls_.remove_after(); }
  void clear_hooks();
  // Whether this layer or one below it has a hook.
  [[nodiscard]] bool is_hooked() const;
  // Who times the calls of this layer and of those below it; null for nobody. Unlike hooks, it
  // leaves layers that are computed together together.
  void set_profile(TimeProfile* profile);
  [[nodiscard]] bool is_profiled() const { return calls_.profile() != nullptr; }

  void set_training(bool is_training);
  [[nodiscard]] bool is_training() const { return is_training_; }
  [[nodiscard]] Kernels kernels() const { return kernels_; }
  void set_trainable(bool is_trainable);  // false: no gradients for this layer's parameters

  // What it was made from; empty for one that no registry made.
  [[nodiscard]] const Choice<Layer>& choice() const { return choice_; }
  void set_choice(Choice<Layer> choice) { choice_ = std::move(choice); }
  // Where it stands among the model's edits.
  [[nodiscard]] const EditPlace& edit_place() const { return edit_place_; }
  void set_edit_place(EditPlace place) { edit_place_ = std::move(place); }
  // The layers it is made of, as data; empty for one that is not built, or computes by itself.
  [[nodiscard]] const Description& description() const { return description_; }

  // Children that others compute along with themselves as long as nobody listens to them.
  [[nodiscard]] std::vector<const Layer*> computed_along() const;

  [[nodiscard]] const std::string& path() const { return tree_.path(); }
  // Of the selected shape; the first of several. Empty before it is built.
  [[nodiscard]] const Spec& input_spec() const;
  [[nodiscard]] const std::vector<Spec>& input_specs(size_t shape = 0) const {
    return shapes_.at(shape).inputs;
  }
  [[nodiscard]] const Spec& output_spec() const;
  // All of them, of a shape by its number.
  [[nodiscard]] const std::vector<Spec>& output_specs(size_t shape = 0) const {
    return shapes_.at(shape).outputs;
  }
  // In order of registration, depth first; names are relative: "0.weight". Ordinary tensors: asking
  // for a packed parameter unpacks it, and it stays so while the list lives. One that the step
  // which runs has used already stays packed, and what comes is a copy that autograd follows.
  [[nodiscard]] Parameters parameters() const;
  // The same tensors, as they lie in memory: for who they are, not for what they hold.
  [[nodiscard]] std::vector<NamedTensor> handles() const { return tree_.parameters_in_memory(); }
  [[nodiscard]] std::vector<NamedTensor> buffers() const { return tree_.buffers(); }
  [[nodiscard]] int64_t parameter_count() const;
  // All of both, by the names that PyTorch's model of this architecture has for them, for
  // architectures that have one; children's names in Hearth are those that PyTorch's modules would
  // have.
  virtual void rename_for_torch(std::vector<NamedTensor>& tensors) const { (void)tensors; }
  [[nodiscard]] std::vector<std::pair<std::string, Layer*>> children() const;
  // The layer at "layer1.0.conv1" below it, or null; those whose path fits `layer1.*.conv?`.
  [[nodiscard]] Layer* find(std::string_view path) const { return tree_.find(path); }
  [[nodiscard]] std::vector<Layer*> matching(std::string_view pattern) const {
    return tree_.matching(pattern);
  }
  // What it gives where the same model calls it again, for each of these calls; of the selected
  // shape.
  [[nodiscard]] std::vector<Spec> outputs_again() const;
  // Multiply-adds of one sample's forward pass: of a call of this layer alone, and of all calls of
  // it and all below it. Layers that are built know it; what is cheap beside convolutions and
  // products counts as nothing.
  [[nodiscard]] virtual double work() const { return 0; }
  [[nodiscard]] double known_work() const;
  [[nodiscard]] double total_work() const;

  // Whether its `forward` with a tail computes this activation along, which is no relu: every layer
  // takes that one.
  [[nodiscard]] virtual bool takes(Activation activation) const {
    (void)activation;
    return false;
  }

  // In which order in memory its kernel wants a parameter that learns; null for the ordinary one.
  // For layers that keep their parameters as members of type at::Tensor, and can compute with both
  // forms.
  [[nodiscard]] virtual const WeightOrder* wanted_order(const at::Tensor& parameter) {
    (void)parameter;
    return nullptr;
  }
  // Its parts, for those who walk the tree, listen, or pack.
  [[nodiscard]] const LayerTree& tree() const { return tree_; }
  [[nodiscard]] const CallPath& calls() const { return calls_; }
  [[nodiscard]] const WeightPacking& packing() const { return packing_; }
  [[nodiscard]] WeightPacking& packing() { return packing_; }

 protected:
  // One of three makes a layer. Made of others: it says which, as data.
  [[nodiscard]] virtual Description describe(std::span<const Spec> inputs,
                                             const BuildContext& context);
  // One value in, one out: `prepare` registers parameters and children and returns the output's
  // spec, `forward` computes.
  virtual Spec prepare(const Spec& input, const BuildContext& context);
  virtual at::Tensor forward(const at::Tensor& input);
  // For layers with a kernel that does both in one pass.
  virtual at::Tensor forward(const at::Tensor& input, const Tail& tail);
  // Several values in or out. Optional inputs come last: fewer specs, or undefined tensors.
  virtual std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context);
  virtual void forward(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs);

  // What is registered is saved, moved and, when a parameter, trained. First values: init.h.
  at::Tensor& add_parameter(const std::string& name, const at::Tensor& value);
  at::Tensor& add_buffer(const std::string& name, const at::Tensor& value);
  // Makes the child, builds it for `input`, and names it. It becomes a member of the layer, by
  // which it is called; its `output_spec` says what it gives. A child without a name has the
  // layer's own path, and its parameters the names they would have in the layer's place.
  Layer* add_child(const std::string& name, const Choice<Layer>& choice, const Spec& input,
                   const BuildContext& context);

 private:
  friend class LayerGraph;
  struct Shapes {
    std::vector<Spec> inputs = {};
    std::vector<Spec> outputs = {};
    // Of further calls in the same model, which may have inputs of other sizes.
    std::vector<Spec> outputs_again = {};
    double work_again = 0;
  };
  void note_again(std::span<const Spec> inputs, const std::vector<Spec>& outputs, size_t shape);
  [[nodiscard]] double samples_in(const at::Tensor& input) const;
  void begin_build(std::span<const Spec> inputs, const BuildContext& context);
  [[nodiscard]] std::vector<Spec> build_in_scope(std::span<const Spec> inputs,
                                                 const BuildContext& context);
  [[nodiscard]] std::vector<Spec> guarded_prepare(std::span<const Spec> inputs,
                                                  const BuildContext& context);
  [[nodiscard]] std::vector<Spec> build_described(Description description,
                                                  std::span<const Spec> inputs,
                                                  const BuildContext& context);
  void check_sample_fits(const Spec& output) const;
  at::Tensor& registered(const OwnTensor* known, const std::string& name,
                         const at::Tensor& value) const;
  // The node's child, made unless it is there already.
  [[nodiscard]] Layer* child_of(const LayerNode& node, const BuildContext& context);
  [[nodiscard]] at::Tensor guarded(const at::Tensor& value, const Tail& tail);
  void unpack_for_call() const;
  [[nodiscard]] double wanted_gradients(const at::Tensor& input) const;
  void report_call(TimeProfile& profile, const at::Tensor& input) const;

  Choice<Layer> choice_;
  EditPlace edit_place_;
  Description description_;
  std::unique_ptr<LayerGraph> graph_;  // of a layer that describes itself
  LayerTree tree_;
  CallPath calls_;
  WeightPacking packing_;
  std::map<size_t, Shapes> shapes_;
  size_t shape_ = 0;
  bool is_first_build_ = true;
  bool is_training_ = true;
  Kernels kernels_ = Kernels::kFast;
  at::Device device_ = at::kCPU;
};

}  // namespace hearth
