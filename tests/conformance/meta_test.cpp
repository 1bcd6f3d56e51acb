// Whole steps on LibTorch's `meta` device, where tensors have shapes and no memory: whatever reads
// values, or takes a kernel of the CPU's, fails there as it would with a GPU. No numbers are
// compared.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/core/graph.h"
#include "hearth/metric/metric.h"
#include "hearth/network/network.h"
#include "hearth/network/ops/backward.h"
#include "hearth/network/ops/call.h"
#include "hearth/network/ops/cross_entropy.h"
#include "hearth/network/ops/softmax.h"
#include "hearth/network/ops/step.h"
#include "hearth/network/ops/update.h"
#include "hearth/nn/architectures/gpt.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/layer_norm.h"
#include "hearth/nn/sequence_memory.h"
#include "hearth/optim/optimizers/adamw.h"
#include "tests/conformance/device_watch.h"
#include "tests/conformance/invented_reads.h"
#include "tests/conformance/layer_cases.h"

namespace hearth {
namespace {

at::Tensor on_meta(const std::vector<int64_t>& sizes, DType dtype = DType::kFloat32) {
  return at::empty(sizes, at::TensorOptions().device(at::kMeta).dtype(
                              dtype == DType::kInt64 ? at::kLong : at::kFloat));
}

at::Tensor batch_on_meta(const Spec& spec) {
  std::vector<int64_t> sizes = spec.shape;
  sizes.insert(sizes.begin(), kCaseBatch);
  return on_meta(sizes, spec.dtype);
}

Spec label_spec(std::vector<int64_t> shape) {
  Spec label;
  label.dtype = DType::kInt64;
  label.shape = std::move(shape);
  return label;
}

// A network of one model on the meta device, and batches of `image` and `label` to run it on.
class MetaNetwork {
 public:
  MetaNetwork(const ModelOptions& model, const std::vector<Choice<NetworkOp>>& ops,
              std::vector<KeySpec> keys, Kernels kernels)
      : network_({{"net", model}, {"teacher", {.build = model.build}}}, ops, 7, at::kMeta, kernels),
        keys_(std::move(keys)) {
    network_.models().classes = kCaseClasses;
  }

  // Runs some batches, and takes the state of all through a checkpoint's copy and back.
  void run(Mode mode, const std::vector<std::string>& fetches, int64_t batches = 1) {
    Moment moment;
    moment.length = {1, 1, 1};
    const std::vector<GraphNode> nodes = network_.nodes(moment, mode);
    const Plan plan = compile(nodes, {.mode = mode, .fetches = fetches, .feeds = keys_});
    const std::vector<BoundOp> ops = network_.bind(plan, nodes);
    const DeviceWatch watch;
    for (int64_t batch = 0; batch < batches; ++batch) {
      StepContext context;
      context.mode = mode;
      context.moment = moment;
      run_batch(plan, ops, context);
      network_.restore(copy(network_.state(ops)), ops);
    }
    EXPECT_THAT(DeviceWatch::faults(), testing::IsEmpty());
  }

  [[nodiscard]] Network& network() { return network_; }

 private:
  void run_batch(const Plan& plan, const std::vector<BoundOp>& ops, StepContext& context) {
    std::vector<at::Tensor> values(plan.values.size());
    for (size_t index = 0; index < values.size(); ++index)
      for (const KeySpec& key : keys_)
        if (plan.values[index].key == key.key) values[index] = batch_on_meta(key.spec);
    network_.run(ops, context, values);
    for (size_t index = 0; index < values.size(); ++index)
      EXPECT_TRUE(!values[index].defined() || values[index].is_meta()) << plan.values[index].key;
  }

  Network network_;
  std::vector<KeySpec> keys_;
};

// Training, then evaluation and prediction.
void expect_runs(const ModelOptions& model, const Spec& image, const Spec& label, Kernels kernels,
                 const Choice<NetworkOp>& update, int64_t batches) {
  MetaNetwork on_meta(
      model, {network_ops::call(), network_ops::cross_entropy(), network_ops::softmax(), update},
      {{"image", image}, {"label", label}}, kernels);
  EXPECT_NO_THROW(on_meta.run(Mode::kTrain, {"loss"}, batches));
  EXPECT_NO_THROW(on_meta.run(Mode::kEval, {"loss"}));
  EXPECT_NO_THROW(on_meta.run(Mode::kInfer, {"probability"}));
}

// Two steps of two batches each, clipped.
void expect_steps(const ModelOptions& model, const Spec& image, const Spec& label,
                  Kernels kernels) {
  expect_runs(model, image, label, kernels, network_ops::update({.accumulate = 2, .clip_norm = 1}),
              4);
}

class EveryLayerOnMeta : public LayerCaseTest {
 protected:
  // Before layers that take numbers, one that learns and keeps the shape: gradients flow through.
  static Choice<Layer> learning_model() {
    return tried().tokens ? choice() : layers::sequential({{layers::layer_norm(), choice()}});
  }
};

TEST_P(EveryLayerOnMeta, TakesWholeSteps) {
  const Spec output = built_layer(Kernels::kPlain)->output_spec();
  const Spec label = label_spec({output.shape.begin() + 1, output.shape.end()});
  for (const Kernels kernels : {Kernels::kFast, Kernels::kPlain})
    expect_steps({.build = learning_model(), .optimizer = optimizers::adamw(), .average = 0.9},
                 case_spec(tried()), label, kernels);
}

std::string fault_of(Layer& layer, const at::Tensor& input) {
  try {
    (void)layer(input);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// LibTorch refuses to mix devices where it matters; an own kernel would read memory it has not.
TEST_P(EveryLayerOnMeta, LeavesMixedDevicesToLibTorch) {
  const auto mixed = make();
  (void)mixed->build(case_spec(tried()),
                     {.seed = 7, .path = "net", .classes = kCaseClasses, .device = at::kMeta});
  EXPECT_THAT(fault_of(*mixed, batch()), testing::Not(testing::HasSubstr("not allocated")));
  EXPECT_THAT(fault_of(*built_layer(Kernels::kFast), batch_on_meta(case_spec(tried()))),
              testing::Not(testing::HasSubstr("not allocated")));
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryLayerOnMeta, testing::ValuesIn(layer_cases()), kCaseName);

// Of numbers without sense some end a search at once, others let it go all its ways.
constexpr int64_t kSearches = 40;

class EveryOptimizerOnMeta : public CaseTest<Optimizer, OptionsCase> {};

TEST_P(EveryOptimizerOnMeta, TakesWholeSteps) {
  Spec image;
  image.shape = {5};
  const ModelOptions model = {.build = layers::linear(), .optimizer = choice()};
  for (const Kernels kernels : {Kernels::kFast, Kernels::kPlain}) {
    if (!make()->searches()) {
      expect_steps(model, image, label_spec({}), kernels);
      continue;
    }
    const InventedReads reads;
    expect_runs(model, image, label_spec({}), kernels, network_ops::update(), kSearches);
    EXPECT_GT(InventedReads::count(), 3 * kSearches) << "no search was under way";
  }
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryOptimizerOnMeta,
                         testing::ValuesIn(all_cases<Optimizer, OptionsCase>()), kCaseName);

// An op is tried on image, label, logits and loss, and on the keys of its case.
class EveryNetworkOpOnMeta : public CaseTest<NetworkOp, KeysCase> {
 protected:
  // Between a backward and a step, or a backward itself.
  static bool is_of_gradients(const NetworkOp& op) {
    return op.takes_gradients() || (op.batches_per_step() == 0 && !op.losses().empty());
  }
  static bool writes_gradients(const NetworkOp& op) {
    return is_of_gradients(op) && op.writes() == std::vector<std::string>{"gradients"};
  }
  // Steps of an update that learns from `loss`.
  static void take_steps(const std::string& loss, Kernels kernels) {
    const auto op = make();
    Spec image;
    image.shape = {5};
    std::vector<KeySpec> keys = {{"image", image}, {"label", label_spec({})}};
    for (const auto& [name, key] : GetParam().tried.keys) keys.push_back({name, key.spec()});
    std::vector<Choice<NetworkOp>> ops = {network_ops::call(), network_ops::cross_entropy()};
    if (op->takes_gradients()) ops.push_back(network_ops::backward());
    ops.push_back(choice());
    if (op->batches_per_step() == 0)
      ops.push_back(is_of_gradients(*op) ? network_ops::step()
                                         : network_ops::update({.loss = loss}));
    MetaNetwork on_meta({.build = layers::linear(), .optimizer = optimizers::adamw()}, ops, keys,
                        kernels);
    on_meta.run(Mode::kTrain, writes_gradients(*op) ? std::vector<std::string>() : op->writes(), 2);
    for (const Mode mode : {Mode::kEval, Mode::kTest})
      if (op->modes().has(mode)) on_meta.run(mode, op->writes());
  }
};

TEST_P(EveryNetworkOpOnMeta, RunsAndLearnsIfItIsALoss) {
  for (const Kernels kernels : {Kernels::kFast, Kernels::kPlain}) {
    EXPECT_NO_THROW(take_steps("loss", kernels));
    if (is_of_gradients(*make())) continue;
    for (const std::string& key : make()->writes()) try {
        take_steps(key, kernels);
      } catch (const GraphError& error) {
        // Or a loss of given keys, in which the model has no part.
        EXPECT_THAT(error.what(),
                    testing::AnyOf(testing::HasSubstr("one float for the whole batch"),
                                   testing::HasSubstr("is never called")));
      }
  }
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryNetworkOpOnMeta,
                         testing::ValuesIn(all_cases<NetworkOp, KeysCase>()), kCaseName);

class EveryMetricOnMeta : public CaseTest<Metric, KeysCase> {};

// Only the value itself may need the host: on a GPU, asking for it waits for all that came before.
TEST_P(EveryMetricOnMeta, GathersBatchesWithoutTheHost) {
  const auto metric = make();
  std::vector<at::Tensor> inputs;
  std::vector<Spec> specs;
  for (const std::string& key : metric->reads()) {
    const Spec spec = GetParam().tried.spec(key);
    specs.push_back(spec);
    inputs.push_back(spec.is_per_batch ? on_meta({}) : batch_on_meta(spec));
  }
  metric->check(specs);
  const DeviceWatch watch;
  for (int batch = 0; batch < 3; ++batch) EXPECT_NO_THROW(metric->update(inputs, {}));
  EXPECT_NO_THROW(metric->reset());
  EXPECT_THAT(DeviceWatch::faults(), testing::IsEmpty());
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryMetricOnMeta,
                         testing::ValuesIn(all_cases<Metric, KeysCase>()), kCaseName);

// A text that goes on: new places, and those that layers remember.
TEST(MetaDevice, ComputesNewPlacesBesideRememberedOnes) {
  const at::AutoGradMode no_gradients(false);
  const auto layer = registry<Layer>().make(layers::gpt({.layers = 1, .width = 8, .heads = 2}));
  Spec tokens;
  tokens.shape = {6};
  tokens.dtype = DType::kInt64;
  tokens.classes = kCaseClasses;
  (void)layer->build(tokens,
                     {.seed = 7, .path = "net", .classes = kCaseClasses, .device = at::kMeta});
  layer->set_training(false);
  SequenceMemory memory(2, 6);
  const DeviceWatch watch;
  for (const int64_t count : {3, 1, 1})
    memory.remember({0, 1}, count, [&] {
      EXPECT_TRUE((*layer)(on_meta({2, count}, DType::kInt64)).is_meta());
    });
  EXPECT_THAT(DeviceWatch::faults(), testing::IsEmpty());
}

// What the tests above rely on.
TEST(MetaDevice, FindsWhoeverReadsValuesOrMixesDevices) {
  const at::Tensor tensor = on_meta({3, 3});
  const at::Tensor on_host = at::ones({3, 3});
  EXPECT_THROW((void)tensor.data_ptr<float>(), c10::Error);
  EXPECT_THROW((void)tensor.sum().item<float>(), c10::Error);
  EXPECT_THROW((void)tensor.to(at::kCPU), c10::Error);
  const DeviceWatch watch;
  (void)at::mm(tensor, tensor);
  EXPECT_THAT(DeviceWatch::faults(), testing::IsEmpty());
  (void)at::mm(tensor, on_host);
  EXPECT_THAT(DeviceWatch::faults(), testing::ElementsAre("aten::mm reads a tensor on the CPU"));
}

}  // namespace
}  // namespace hearth
