// What is infinite or not a number: wherever LibTorch's operators keep it, in outputs, gradients
// and buffers, no fast kernel of a layer or a loss may lose it. LibTorch's may even show it where
// nothing depends on it: zeros, of padding or of places that attention hides, are multiplied too.
// Such results need not be the same.
#include <limits>

#include "tests/conformance/op_cases.h"

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

// What comes of values that are finite: of 0 first, then of both signs, so that a relu or a maximum
// hides some at most, large and small ones. Run when first asked for, as a deep model takes long.
class Probes {
 public:
  explicit Probes(const RunWith& plain) : plain_(plain) {}

  // Which values of result `i` move with the one that is odd. What is not finite then, as the root
  // of a negative variance, says nothing.
  [[nodiscard]] at::Tensor depending(size_t i) {
    if (results_.empty())
      for (const float probe : {0.0F, 1e4F, -1e4F, 2.0F, 0.5F}) results_.push_back(plain_(probe));
    const at::Tensor middle = results_[0][i].second;
    at::Tensor moves = middle.ne(middle);
    for (size_t k = 1; k < results_.size(); ++k) {
      const at::Tensor& other = results_[k][i].second;
      moves = moves.logical_or(other.ne(middle).logical_and(other.isfinite()));
    }
    return moves;
  }

 private:
  const RunWith& plain_;
  std::vector<Results> results_;
};

void expect_kept(const RunWith& fast, const RunWith& plain, float odd) {
  const Results found = fast(odd);
  const Results truth = plain(odd);
  ASSERT_EQ(found.size(), truth.size());
  Probes probes(plain);
  for (size_t i = 0; i < truth.size(); ++i) {
    const auto& [name, expected] = truth[i];
    ASSERT_EQ(found[i].second.defined(), expected.defined()) << name;
    if (!expected.defined()) continue;
    const at::Tensor shown = expected.isfinite().logical_not();
    at::Tensor lost = found[i].second.isfinite().logical_and(shown);
    if (lost.any().item<bool>()) lost = lost.logical_and(probes.depending(i));
    EXPECT_FALSE(lost.any().item<bool>())
        << name << " loses " << lost.sum().item<int64_t>() << " of " << shown.sum().item<int64_t>();
  }
}

class NonFinite : public LayerCaseTest {
 protected:
  // Every value in every tensor, at a place that differs from tensor to tensor. The layers of deep
  // models are tried by themselves: of these the first weight and the input.
  static std::vector<Odd> odd_values(const FreshLayer& layer, const at::Tensor& input) {
    std::vector<NamedTensor> tensors = layer.all();
    if (tried().deep) tensors.resize(1);
    const size_t stride = tensors.size() / kTriedTensors + 1;
    std::vector<Odd> all;
    const auto add = [&all](const std::string& name, int64_t size, size_t number) {
      for (const float value : kOddValues) {
        all.push_back({name, static_cast<int64_t>(number * 7 + all.size()) % size, value});
        if (tried().deep) break;
      }
    };
    for (size_t i = 0; i < tensors.size(); i += stride)
      add(tensors[i].first, tensors[i].second.numel(), i);
    if (input.is_floating_point()) add("the input", input.numel(), tensors.size());
    if (!tried().deep) add("what flows back", kCaseBatch, 1);
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

INSTANTIATE_TEST_SUITE_P(Cases, NonFinite, testing::ValuesIn(layer_cases()), kCaseName);

// The same of ops: in each value of an input, in all of a sample's, and in the parameters of models
// that an op brings along.
class NonFiniteOp : public OpCaseTest {
 protected:
  void SetUp() override {
    OpCaseTest::SetUp();
    if (HasFatalFailure()) return;
    values_ = inputs(9);
    fast_ = tried_op(Kernels::kFast);
    plain_ = tried_op(Kernels::kPlain);
  }

  void expect_input_kept(size_t which, int64_t first, int64_t count, float odd) {
    SCOPED_TRACE("input " + std::to_string(which) + " from " + std::to_string(first));
    expect_op_keeps(odd, [&](TriedOp& op, float value) {
      std::vector<at::Tensor> values = values_;
      values[which] = values[which].clone();
      values[which].view({-1}).narrow(0, first, count).fill_(value);
      return op.run(values, at::kFloat);
    });
  }

  void expect_parameter_kept(size_t which, int64_t place, float odd) {
    SCOPED_TRACE("parameter " + std::to_string(which) + " at " + std::to_string(place));
    expect_op_keeps(odd, [&](TriedOp& op, float value) {
      const at::Tensor one = op.parameters()[which].second.detach().view({-1})[place];
      const at::Tensor before = one.clone();
      one.fill_(value);
      Results results = op.run(values_, at::kFloat);
      one.copy_(before);
      return results;
    });
  }

  std::vector<at::Tensor> values_;
  std::unique_ptr<TriedOp> fast_, plain_;

 private:
  void expect_op_keeps(float odd, const std::function<Results(TriedOp&, float)>& run) {
    SCOPED_TRACE(odd);
    expect_kept([&](float value) { return run(*fast_, value); },
                [&](float value) { return run(*plain_, value); }, odd);
  }
};

TEST_P(NonFiniteOp, StaysSo) {
  for (const float odd : kOddValues) {
    for (size_t which = 0; which < values_.size(); ++which) {
      if (!values_[which].is_floating_point()) continue;
      const int64_t size = values_[which].numel();
      for (int64_t place = 0; place < size; ++place) expect_input_kept(which, place, 1, odd);
      expect_input_kept(which, 0, std::min(size, kCaseClasses), odd);
    }
    const std::vector<NamedTensor> parameters = fast_->parameters();
    for (size_t which = 0; which < parameters.size(); ++which)
      for (int64_t place = 0; place < parameters[which].second.numel(); ++place)
        expect_parameter_kept(which, place, odd);
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, NonFiniteOp, testing::ValuesIn(value_op_cases()), kCaseName);

}  // namespace
}  // namespace hearth
