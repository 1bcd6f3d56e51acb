// Values that are infinite or not a number, and values far out, in kernels whose settings no layer
// reaches with its defaults.
#include <limits>

#include "hearth/kernels/activation/every_activation_test.h"
#include "hearth/kernels/attention/attention.h"
#include "hearth/kernels/attention/memory_attention.h"
#include "hearth/kernels/comparison_test.h"
#include "hearth/kernels/convolution/convolution_method.h"
#include "hearth/kernels/loss/cross_entropy.h"
#include "hearth/kernels/normalization/batch_norm.h"
#include "hearth/kernels/normalization/group_norm.h"
#include "hearth/kernels/normalization/layer_norm.h"
#include "hearth/kernels/recurrence/recurrence.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

namespace hearth {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
const std::vector<float>& odd_values() {
  static const std::vector<float> values = {std::nanf(""), kInfinity, -kInfinity};
  return values;
}

at::Tensor with_value(const at::Tensor& tensor, int64_t place, float value) {
  at::Tensor copy = tensor.clone();
  copy.data_ptr<float>()[place] = value;
  return copy;
}

// Whether it is a number, by value: 0 finite, 1 not a number, 2 and 3 the infinities.
at::Tensor kinds(const at::Tensor& values) {
  return values.isnan()
      .to(at::kLong)
      .add(values.isposinf().to(at::kLong), 2)
      .add(values.isneginf().to(at::kLong), 3);
}

void expect_same_kind(const at::Tensor& found, const at::Tensor& truth) {
  EXPECT_TRUE(kinds(found).equal(kinds(truth))) << found << "\n" << truth;
}

// Odd where the truth is, and maybe elsewhere.
void expect_kept(const at::Tensor& found, const at::Tensor& truth) {
  const at::Tensor lost = found.isfinite().logical_and(truth.isfinite().logical_not());
  EXPECT_FALSE(lost.any().item<bool>()) << found << "\n" << truth;
}

using Expectation = void (*)(const at::Tensor& found, const at::Tensor& truth);

void expect_of_results(Expectation expectation, const KernelRun& run,
                       const std::vector<at::Tensor>& inputs) {
  const KernelResult truth = run_kernel(run, Kernels::kPlain, inputs, at::kFloat);
  const KernelResult fast = run_kernel(run, Kernels::kFast, inputs, at::kFloat);
  expectation(fast.output, truth.output);
  for (size_t i = 0; i < inputs.size(); ++i) {
    SCOPED_TRACE("gradient of input " + std::to_string(i));
    if (truth.gradients[i].defined()) expectation(fast.gradients[i], truth.gradients[i]);
  }
}

TEST(NonFiniteKernel, AttentionHidesWhatTheMaskHidesAndShowsTheRest) {
  at::manual_seed(51);
  const at::Tensor packed = at::randn({2, 5, 12});
  const at::Tensor mask = at::tensor({0, 1, 0, 0, 1, 1, 1, 1, 1, 1}).reshape({2, 5}).to(at::kBool);
  for (const bool is_causal : {false, true})
    for (const float odd : odd_values())
      for (int64_t place = 0; place < packed.numel(); place += 5) {
        SCOPED_TRACE(std::to_string(odd) + " at " + std::to_string(place));
        expect_of_results(expect_kept,
                          [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
                            return attention(kernels, inputs[0], {2, is_causal, 0}, mask);
                          },
                          {with_value(packed, place, odd)});
      }
}

// A loss that is infinite stays so; rows without a label show in their gradient alone.
TEST(NonFiniteKernel, ClassLossIsLibTorchsAlsoOfRowsThatDoNotCount) {
  at::manual_seed(52);
  const at::Tensor labels = at::tensor({1, -100, 0, 9}, at::kLong);
  const at::Tensor scores = at::randn({4, 10});
  for (const float odd : odd_values())
    for (int64_t place = 0; place < scores.numel(); ++place) {
      SCOPED_TRACE(std::to_string(odd) + " at " + std::to_string(place));
      expect_of_results(expect_same_kind,
                        [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
                          return class_loss(kernels, inputs[0], labels, 0);
                        },
                        {with_value(scores, place, odd)});
    }
}

// Where LibTorch's own passes differ, between whole vectors and the rest, either will do.
TEST(NonFiniteKernel, ActivationsAreLibTorchsAtEveryOddValueAndFarOut) {
  const at::Tensor values =
      at::tensor({std::nanf(""), kInfinity, -kInfinity, 1e20F, -1e20F, 3e38F, 1e-42F, 0.0F, -9.0F});
  for (const PointwiseValues& of : kPointwiseValues) {
    SCOPED_TRACE(of.name);
    expect_of_results(expect_kept,
                      [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
                        return of.run(kernels, inputs[0]);
                      },
                      {values});
    const at::Tensor fast = of.run(Kernels::kFast, values);
    expect_same_kind(fast, of.run(Kernels::kPlain, values));
  }
}

TEST(NonFiniteKernel, BatchNormShowsOddValuesAddendsAndStatistics) {
  at::manual_seed(53);
  const at::Tensor input = at::randn({2, 9, 3, 3});
  const BatchNormTensors first = {at::ones({9}), at::zeros({9}), at::zeros({9}), at::ones({9})};
  for (const float odd : odd_values())
    for (const bool is_training : {true, false}) {
      at::Tensor variance;  // the plain one, then the fast one
      expect_of_results(
          expect_kept,
          [&](Kernels kernels, const std::vector<at::Tensor>& inputs) {
            const BatchNormTensors tensors = {inputs[1], inputs[2], first.running_mean.clone(),
                                              first.running_var.clone()};
            const at::Tensor output =
                batch_norm(kernels, inputs[0], tensors, {is_training}, inputs[3], true);
            if (kernels == Kernels::kFast) expect_kept(tensors.running_var, variance);
            variance = tensors.running_var;
            return output;
          },
          {with_value(input, 40, odd), first.weight, first.bias, with_value(input, 100, odd)});
    }
}

TEST(NonFiniteKernel, LayerAndGroupNormShowOddValues) {
  at::manual_seed(55);
  const at::Tensor input = at::randn({2, 9, 3, 3});
  for (const float odd : odd_values())
    for (const int64_t place : {0, 40, 161}) {
      const std::vector<at::Tensor> inputs = {with_value(input, place, odd), at::randn({9}),
                                              at::randn({9})};
      expect_of_results(
          expect_kept,
          [](Kernels kernels, const std::vector<at::Tensor>& own) {
            return group_norm_images(kernels, own[0], own[1], own[2], {3, 1e-5});
          },
          inputs);
      expect_of_results(expect_kept,
                        [](Kernels kernels, const std::vector<at::Tensor>& own) {
                          return layer_norm_rows(kernels, own[0], own[1], own[2], 1e-5);
                        },
                        {inputs[0].reshape({18, 9}), inputs[1], inputs[2]});
    }
}

TEST(NonFiniteKernel, BatchNormWithAnActivationShowsOddValues) {
  at::manual_seed(56);
  const at::Tensor input = at::randn({2, 9, 3, 3});
  for (const float odd : odd_values())
    for (const Activation activation :
         {Activation::kRelu6, Activation::kSilu, Activation::kHardswish})
      expect_of_results(expect_kept,
                        [&](Kernels kernels, const std::vector<at::Tensor>& own) {
                          return batch_norm(kernels, own[0],
                                            {own[1], own[2], at::zeros({9}), at::ones({9})}, {}, {},
                                            false, activation);
                        },
                        {with_value(input, 40, odd), at::ones({9}), at::zeros({9})});
}

// Without a mask: of the steps it hides, LibTorch's operators multiply the slopes by zero.
TEST(NonFiniteKernel, RecurrencesShowOddValues) {
  at::manual_seed(57);
  const int64_t size = 19;
  for (const RecurrentCell cell :
       {RecurrentCell::kTanh, RecurrentCell::kRelu, RecurrentCell::kLstm, RecurrentCell::kGru}) {
    const int64_t gates = gates_of(cell) * size;
    const std::vector<at::Tensor> usual = {at::randn({4, 3, gates}), at::randn({gates, size}),
                                           at::randn({gates}), at::randn({3, size})};
    for (size_t which = 0; which < usual.size(); ++which)
      for (const float odd : odd_values()) {
        SCOPED_TRACE(std::to_string(gates_of(cell)) + " gates, input " + std::to_string(which));
        std::vector<at::Tensor> inputs = usual;
        inputs[which] = with_value(usual[which], usual[which].numel() / 2 + 1, odd);
        expect_of_results(
            expect_kept,
            [&](Kernels kernels, const std::vector<at::Tensor>& own) {
              return run_recurrence(kernels, {cell, false, own[1], own[2]}, own[0], {own[3], {}},
                                    {})
                  .hidden;
            },
            inputs);
      }
  }
}

// What texts that go on look back at.
TEST(NonFiniteKernel, AttentionToMemoryShowsOddValuesOfPlacesBefore) {
  const at::AutoGradMode no_gradients(false);
  at::manual_seed(58);
  const std::vector<int64_t> rows = {0};
  const std::vector<int64_t> places = {20};
  const std::vector<at::Tensor> usual = {at::randn({1, 2, 32}), at::randn({1, 2, 32}),
                                         at::randn({1, 2, 32}), at::randn({1, 2, 24, 16}),
                                         at::randn({1, 2, 24, 16})};
  for (size_t which = 0; which < usual.size(); ++which)
    for (const float odd : odd_values()) {
      SCOPED_TRACE("input " + std::to_string(which) + ", " + std::to_string(odd));
      const auto seen = [&](Kernels kernels) {
        std::vector<at::Tensor> own;
        for (const at::Tensor& input : usual) own.push_back(input.clone());
        own[which] = with_value(usual[which], 5, odd);
        return attention_to_memory(kernels, {own[0], own[1], own[2], 2, 2},
                                   {own[3], own[4], rows, places});
      };
      const at::Tensor plain = seen(Kernels::kPlain);
      EXPECT_TRUE(std::isinf(odd) || plain.isnan().any().item<bool>());
      expect_kept(seen(Kernels::kFast), plain);
    }
}

// Every method, where it fits, whatever a geometry would get: with its relu.
void expect_method_keeps_what_is_odd(ConvolutionMethod& method) {
  const ConvolutionGeometry& g = method.geometry();
  at::manual_seed(54);
  const auto last = at::MemoryFormat::ChannelsLast;
  const at::Tensor input = at::randn({2, 16, 8, 8}).contiguous(last);
  const at::Tensor weight = at::randn({16, 16 / g.shape.groups, 3, 3});
  const at::Tensor bias = at::randn({16});
  const auto count = [&](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) {
    const at::Tensor output = at::empty_like(input);
    method.forward(x.data_ptr<float>(), w, b.data_ptr<float>(), output.data_ptr<float>());
    return output.isnan().sum().item<int64_t>();
  };
  const int64_t seen_by = 16 / g.shape.groups;  // output channels that a value of the input reaches
  EXPECT_EQ(count(input, weight, bias), 0);
  EXPECT_GE(count(with_value(input, 700, std::nanf("")), weight, bias), 9 * seen_by);
  EXPECT_GE(count(input, with_value(weight, 4, std::nanf("")), bias), 128);
  EXPECT_EQ(count(input, weight, with_value(bias, 7, std::nanf(""))), 128);
}

TEST(NonFiniteKernel, EveryMethodOfAConvolutionKeepsWhatIsNotANumber) {
  ConvolutionGeometry geometry = {2, 16, 8, 8, 16, 3, 3, {1, 1}, true, true, 1};
  for (const auto& make : {onednn_method, matrix_method, winograd_method, depthwise_method}) {
    geometry.shape.groups = make == depthwise_method ? 16 : 1;
    const ConvolutionMethodPointer method = make(geometry);
    ASSERT_TRUE(method);
    expect_method_keeps_what_is_odd(*method);
  }
}

}  // namespace
}  // namespace hearth
