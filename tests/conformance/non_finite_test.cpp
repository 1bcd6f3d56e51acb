// What is infinite or not a number: wherever LibTorch's operators keep it, in outputs, gradients
// and buffers, no fast kernel of a layer or a loss may lose it. LibTorch's may even show it where
// nothing depends on it: zeros, of padding or of places that attention hides, are multiplied too.
// Such results need not be the same.
#include <limits>

#include "hearth/network/network_fixture.h"
#include "tests/conformance/layer_cases.h"

namespace hearth {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kOddValues[] = {std::numeric_limits<float>::quiet_NaN(), kInfinity, -kInfinity};
// Tensors to try in one layer, spread over all it has: large models have too many.
constexpr size_t kTriedTensors = 16;

// A value put in one place of one of a layer's tensors, its input, or what flows back into it.
struct Odd {
  std::string name;
  int64_t place = 0;
  float value = 0;
};

using RunWith = std::function<Results(float value)>;

Results odd_results(Layer& layer, const at::Tensor& batch, const Odd& odd) {
  const at::Tensor input = own_input(batch);
  std::vector<NamedTensor> tensors = layer.parameters();
  for (const NamedTensor& buffer : layer.buffers()) tensors.push_back(buffer);
  tensors.emplace_back("the input", input);
  for (const auto& [name, tensor] : tensors)
    if (name == odd.name) tensor.detach().view({-1})[odd.place] = odd.value;
  return call_results(layer, input, [&](at::IntArrayRef sizes) {
    at::Tensor flow = at::linspace(-1, 2, c10::multiply_integers(sizes), at::kFloat);
    if (odd.name == "what flows back") flow[odd.place] = odd.value;
    return flow.reshape(sizes);
  });
}

// A layer whose tensors return to their first values before every call.
class FreshLayer {
 public:
  explicit FreshLayer(std::unique_ptr<Layer> layer) : layer_(std::move(layer)) {
    for (const auto& [name, tensor] : all()) first_.push_back(tensor.detach().clone());
  }
  [[nodiscard]] Layer& get() { return *layer_; }
  [[nodiscard]] Results run(const at::Tensor& batch, const Odd& odd) {
    const std::vector<NamedTensor> tensors = all();
    for (size_t i = 0; i < first_.size(); ++i) tensors[i].second.detach().copy_(first_[i]);
    return odd_results(*layer_, batch, odd);
  }
  [[nodiscard]] std::vector<NamedTensor> all() const {
    std::vector<NamedTensor> tensors = layer_->parameters();
    for (const NamedTensor& buffer : layer_->buffers())
      if (buffer.second.is_floating_point()) tensors.push_back(buffer);
    return tensors;
  }

 private:
  std::unique_ptr<Layer> layer_;
  std::vector<at::Tensor> first_;
};

// Which values of result `i` move with the one that is odd. Two large values of both signs, so that
// a relu or a maximum hides at most one.
at::Tensor depending(const RunWith& plain, size_t i) {
  const at::Tensor middle = plain(0)[i].second;
  return plain(1e4F)[i].second.ne(middle).logical_or(plain(-1e4F)[i].second.ne(middle));
}

void expect_kept(const RunWith& fast, const RunWith& plain, float odd) {
  const Results found = fast(odd);
  const Results truth = plain(odd);
  ASSERT_EQ(found.size(), truth.size());
  for (size_t i = 0; i < truth.size(); ++i) {
    const auto& [name, expected] = truth[i];
    ASSERT_EQ(found[i].second.defined(), expected.defined()) << name;
    if (!expected.defined()) continue;
    const at::Tensor shown = expected.isfinite().logical_not();
    at::Tensor lost = found[i].second.isfinite().logical_and(shown);
    if (lost.any().item<bool>()) lost = lost.logical_and(depending(plain, i));
    EXPECT_FALSE(lost.any().item<bool>())
        << name << " loses " << lost.sum().item<int64_t>() << " of " << shown.sum().item<int64_t>();
  }
}

class NonFinite : public LayerCaseTest {
 protected:
  // Every value in every tensor, at a place that differs from tensor to tensor.
  static std::vector<Odd> odd_values(const FreshLayer& layer, const at::Tensor& input) {
    std::vector<NamedTensor> tensors = layer.all();
    const size_t stride = tensors.size() / kTriedTensors + 1;
    std::vector<Odd> all;
    const auto add = [&all](const std::string& name, int64_t size, size_t number) {
      for (const float value : kOddValues)
        all.push_back({name, static_cast<int64_t>(number * 7 + all.size()) % size, value});
    };
    for (size_t i = 0; i < tensors.size(); i += stride)
      add(tensors[i].first, tensors[i].second.numel(), i);
    if (input.is_floating_point()) add("the input", input.numel(), tensors.size());
    add("what flows back", kCaseBatch, 1);
    return all;
  }
};

TEST_P(NonFinite, StaysSoThroughTheLayer) {
  FreshLayer plain(built_layer(Kernels::kPlain));
  FreshLayer fast(built_layer(Kernels::kFast));
  const at::Tensor input = batch();
  for (const bool is_training : {true, false}) {
    plain.get().set_training(is_training);
    fast.get().set_training(is_training);
    for (const Odd& odd : odd_values(plain, input)) {
      SCOPED_TRACE((is_training ? "training, " : "evaluation, ") + odd.name + "[" +
                   std::to_string(odd.place) + "] = " + std::to_string(odd.value));
      const auto run_with = [&](FreshLayer& layer) {
        return [&](float value) { return layer.run(input, {odd.name, odd.place, value}); };
      };
      expect_kept(run_with(fast), run_with(plain), odd.value);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, NonFinite, testing::ValuesIn(compared_layer_cases()), kCaseName);

// A batch of a key.
at::Tensor op_input(const Spec& spec) {
  std::vector<int64_t> sizes = spec.shape;
  sizes.insert(sizes.begin(), kCaseBatch);
  if (spec.dtype != DType::kInt64) return at::randn(sizes);
  return at::randint(std::max<int64_t>(spec.classes, 1), sizes, at::kLong);
}

Results op_results(const Choice<NetworkOp>& choice, Kernels kernels, const std::vector<Spec>& specs,
                   const std::vector<at::Tensor>& values) {
  ModelSet models;
  models.kernels = kernels;
  for (OwnModel& own : registry<NetworkOp>().make(choice)->own_models())
    models.add(std::make_unique<Model>(own.name, *own.options, std::move(own.layer)));
  const auto op = bound(choice, models);
  (void)op->infer(specs);
  std::vector<at::Tensor> inputs;
  for (const at::Tensor& value : values)
    inputs.push_back(value.clone().set_requires_grad(value.is_floating_point()));
  const at::Tensor output = run_op(*op, {}, inputs);
  output.sum().backward();
  Results results = {{"the output", output.detach()}};
  for (const at::Tensor& input : inputs) results.emplace_back("a gradient", input.grad());
  return results;
}

class NonFiniteOp : public CaseTest<NetworkOp, KeysCase> {
 protected:
  // With `odd` at some places of `values[which]`.
  static void expect_op_keeps(const std::vector<Spec>& specs, std::vector<at::Tensor> values,
                              size_t which, int64_t first, int64_t count, float odd) {
    SCOPED_TRACE(std::to_string(odd) + " from " + std::to_string(first));
    const at::Tensor whole = values[which];
    const auto run_with = [&](Kernels kernels) {
      return [&, kernels](float value) {
        values[which] = whole.clone();
        values[which].view({-1}).narrow(0, first, count).fill_(value);
        return op_results(choice(), kernels, specs, values);
      };
    };
    expect_kept(run_with(Kernels::kFast), run_with(Kernels::kPlain), odd);
  }
};

TEST_P(NonFiniteOp, StaysSo) {
  const auto op = make();
  if (op->takes_gradients()) GTEST_SKIP() << "changes gradients: an optimizer's step is tried";
  at::manual_seed(9);
  std::vector<Spec> specs;
  std::vector<at::Tensor> values;
  for (const std::string& key : op->reads()) {
    if (key == "image" || key == "loss") GTEST_SKIP() << "a model's op: its layers are tried above";
    specs.push_back(GetParam().tried.spec(key));
    values.push_back(op_input(specs.back()));
  }
  for (size_t which = 0; which < values.size(); ++which) {
    if (!values[which].is_floating_point()) continue;
    for (const float odd : kOddValues) {
      for (int64_t place = 0; place < values[which].numel(); ++place)
        expect_op_keeps(specs, values, which, place, 1, odd);
      expect_op_keeps(specs, values, which, 0, kCaseClasses, odd);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, NonFiniteOp, testing::ValuesIn(all_cases<NetworkOp, KeysCase>()),
                         kCaseName);

}  // namespace
}  // namespace hearth
