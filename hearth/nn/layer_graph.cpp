// A description that was built: its layers as steps over numbered values.
#include "hearth/nn/layer_graph.h"

#include <algorithm>
#include <array>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/nn/description_check.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/sequence_memory.h"

namespace hearth {
namespace {

// What a layer says of itself needs no name of a node before it.
template <class Work>
std::vector<Spec> in_own_words(const Mark& mark, const Work& work) {
  try {
    return work();
  } catch (const GraphError& error) {
    throw GraphError(error.message(), error.place().value_or(mark.prefix()));
  }
}

}  // namespace

// The node's own layer; that of another node for one that calls it again.
std::vector<Spec> LayerGraph::built(const LayerNode& node, const std::vector<Spec>& inputs,
                                    const BuildContext& context, Layer& owner, Layer*& layer) {
  BuildContext own = context;
  own.is_again = context.is_again || !node.used().empty();
  if (!node.used().empty())
    layer = owner.tree().find_child(node.used());
  else if (layer == nullptr)
    layer = owner.child_of(node, context);
  own.path = layer->path();
  return layer->build(inputs, own);
}

std::vector<Spec> LayerGraph::build(const Description& description, std::span<const Spec> inputs,
                                    const BuildContext& context, Layer& owner) {
  check_description(description, context.path, owner.choice().options().mark());
  check_input_count(description, inputs, context.path);
  std::vector<Layer*> layers(description.nodes.size());
  for (const std::string& name : description.first_children)
    if (const LayerNode* node = description.find(name); node != nullptr && node->used().empty())
      layers[static_cast<size_t>(node - description.nodes.data())] = owner.child_of(*node, context);
  std::vector<GraphNode> nodes;
  for (size_t i = 0; i < description.nodes.size(); ++i) {
    const LayerNode& described = description.nodes[i];
    GraphNode node;
    node.name = context.path + "." + described.name + " " + described.layer.name();
    node.reads = described.in;
    node.writes = described.out;
    node.mark = described.layer.options().mark();
    node.infer = [&, i](const std::vector<Spec>& specs) {
      return in_own_words(description.nodes[i].layer.options().mark(), [&] {
        std::vector<Spec> outputs = built(description.nodes[i], specs, context, owner, layers[i]);
        check_output_count(description.nodes[i], outputs, context.path);
        return outputs;
      });
    };
    nodes.push_back(std::move(node));
  }
  CompileRequest request;
  request.mode = Mode::kInfer;
  request.fetches = description.outputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    Spec spec = inputs[i];
    if (is_image(spec)) spec.role = Role::kPlain;  // its channels are first already
    request.feeds.push_back({description.inputs[i], std::move(spec)});
  }
  try {
    const Plan plan = compile(nodes, request);
    if (context.is_first()) take_plan(plan, layers, description.inputs, context.kernels.is_fast);
    std::vector<Spec> outputs;
    for (const int value : plan.fetches)
      outputs.push_back(plan.values[static_cast<size_t>(value)].spec);
    if (description.classes > 0) outputs.front().classes = description.classes;
    return outputs;
  } catch (const PlanError& error) {
    throw_faults(error.faults());
  }
}

void LayerGraph::take_plan(const Plan& plan, const std::vector<Layer*>& layers,
                           const std::vector<std::string>& inputs, bool may_fuse) {
  steps_.clear();
  for (const PlanStep& step : plan.steps)
    steps_.push_back({layers[step.node], step.inputs, step.outputs});
  values_ = plan.values.size();
  inputs_.clear();
  for (const std::string& input : inputs) inputs_.push_back(plan.index_of(input));
  outputs_ = plan.fetches;
  if (may_fuse) fuse_steps(steps_, values_, outputs_);
  find_last_reads();
}

std::vector<const Layer*> LayerGraph::fused() const {
  std::vector<const Layer*> layers;
  for (const LayerStep& step : steps_) {
    if (step.addition != nullptr) layers.push_back(step.addition);
    if (step.relu != nullptr) layers.push_back(step.relu);
  }
  return layers;
}

void LayerGraph::find_last_reads() {
  std::vector<bool> is_read(values_);
  for (const int value : outputs_) is_read[static_cast<size_t>(value)] = true;
  for (size_t i = steps_.size(); i-- > 0;) {
    LayerStep& step = steps_[i];
    std::vector<int> reads = step.inputs;
    if (step.addend >= 0) reads.push_back(step.addend);
    for (const int value : reads) {
      if (is_read[static_cast<size_t>(value)]) continue;
      is_read[static_cast<size_t>(value)] = true;
      step.last_reads.push_back(value);
    }
  }
}

at::Tensor LayerGraph::run(const at::Tensor& input, const Tail& tail) const {
  std::vector<at::Tensor> values(values_);
  if (inputs_[0] >= 0) values[static_cast<size_t>(inputs_[0])] = input;
  return run_steps(values, tail) ? values[static_cast<size_t>(outputs_[0])]
                                 : apply_tail(values[static_cast<size_t>(outputs_[0])], tail);
}

void LayerGraph::run(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) const {
  std::vector<at::Tensor> values(values_);
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs_[i] >= 0) values[static_cast<size_t>(inputs_[i])] = inputs[i];
  (void)run_steps(values, {});
  for (size_t i = 0; i < outputs.size(); ++i) outputs[i] = values[static_cast<size_t>(outputs_[i])];
}

bool LayerGraph::run_steps(std::vector<at::Tensor>& values, const Tail& tail) const {
  SequenceMemory* memory = SequenceMemory::current();
  if (memory != nullptr && memory->has_given()) return run_beside_given(*memory, values);
  bool is_tail_done = false;
  for (const LayerStep& step : steps_) {
    const bool is_last = &step == &steps_.back() && step.outputs.front() == outputs_.front();
    if (step.is_unary()) {
      // What the layer computes along comes before the tail.
      is_tail_done = is_last && step.addition == nullptr && step.relu == nullptr;
      values[static_cast<size_t>(step.outputs.front())] =
          run_unary(step, values, is_tail_done ? tail : Tail());
    } else {
      run_any(step, values);
    }
    for (const int value : step.last_reads) values[static_cast<size_t>(value)] = at::Tensor();
  }
  return is_tail_done;
}

// Steps of given values alone are taken once for all places; others get given values for every
// sequence of the call.
bool LayerGraph::run_beside_given(SequenceMemory& memory, std::vector<at::Tensor>& values) const {
  for (const LayerStep& step : steps_) {
    std::vector<int> reads = step.inputs;
    if (step.addend >= 0) reads.push_back(step.addend);
    const auto is_given = [&](const int value) {
      return memory.is_given(values[static_cast<size_t>(value)]);
    };
    if (std::ranges::all_of(reads, is_given)) {
      std::vector<at::Tensor> of;
      for (const int value : reads) of.push_back(values[static_cast<size_t>(value)]);
      const auto& made = memory.made_once(&step, of, [&] {
        run_step(step, values);
        return outputs_of(step, values);
      });
      put_outputs(step, made, values);
    } else {
      std::vector<at::Tensor> before = values;
      for (const int value : reads)
        if (is_given(value))
          before[static_cast<size_t>(value)] = memory.for_all(values[static_cast<size_t>(value)]);
      run_step(step, before);
      put_outputs(step, outputs_of(step, before), values);
    }
    for (const int value : step.last_reads) values[static_cast<size_t>(value)] = at::Tensor();
  }
  return false;
}

void LayerGraph::run_step(const LayerStep& step, std::vector<at::Tensor>& values) {
  if (step.is_unary())
    values[static_cast<size_t>(step.outputs.front())] = run_unary(step, values, {});
  else
    run_any(step, values);
}

std::vector<at::Tensor> LayerGraph::outputs_of(const LayerStep& step,
                                               const std::vector<at::Tensor>& values) {
  std::vector<at::Tensor> outputs;
  for (const int value : step.outputs)
    outputs.push_back(value >= 0 ? values[static_cast<size_t>(value)] : at::Tensor());
  return outputs;
}

void LayerGraph::put_outputs(const LayerStep& step, const std::vector<at::Tensor>& outputs,
                             std::vector<at::Tensor>& values) {
  for (size_t k = 0; k < outputs.size(); ++k)
    if (step.outputs[k] >= 0) values[static_cast<size_t>(step.outputs[k])] = outputs[k];
}

at::Tensor LayerGraph::run_unary(const LayerStep& step, const std::vector<at::Tensor>& values,
                                 const Tail& tail) {
  const at::Tensor& input = values[static_cast<size_t>(step.inputs.front())];
  if (step.addition == nullptr && step.relu == nullptr) return (*step.layer)(input, tail);
  const bool adds = step.addition != nullptr && !step.addition->calls().has_hooks();
  const bool is_whole = step.addition == nullptr || adds;
  Tail own;
  if (adds) own.addend = values[static_cast<size_t>(step.addend)];
  const bool is_along = is_whole && step.relu != nullptr && !step.relu->calls().has_hooks();
  const Tail activation = {.relu = step.activation == Activation::kNone,
                           .activation = step.activation};
  own.relu = is_along && activation.relu;
  if (is_along) own.activation = activation.activation;
  at::Tensor value = (*step.layer)(input, own);
  if (!is_whole) {
    std::array<at::Tensor, 2> terms = {value, values[static_cast<size_t>(step.addend)]};
    if (step.is_addend_first) std::swap(terms[0], terms[1]);
    (*step.addition)(terms, std::span(&value, 1));
  }
  if (step.relu == nullptr || is_along) return value;
  // Who listens to the addition leaves the relu to whoever computes it.
  return step.relu->calls().has_hooks() ? (*step.relu)(value) : apply_tail(value, activation);
}

void LayerGraph::run_any(const LayerStep& step, std::vector<at::Tensor>& values) {
  std::vector<at::Tensor> inputs;
  for (const int value : step.inputs) inputs.push_back(values[static_cast<size_t>(value)]);
  std::vector<at::Tensor> outputs(step.outputs.size());
  (*step.layer)(inputs, outputs);
  for (size_t k = 0; k < outputs.size(); ++k)
    if (step.outputs[k] >= 0) values[static_cast<size_t>(step.outputs[k])] = std::move(outputs[k]);
}

}  // namespace hearth
