// Whose time is whose: calls inside calls, and backward nodes of the calls that made them.
#include "hearth/nn/time_profile.h"

#include <ATen/ops/randn.h>
#include <ATen/record_function.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/custom_function.h>

#include <chrono>
#include <thread>

#include "hearth/nn/layer_fixture.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/pointwise.h"

namespace hearth {
namespace {

constexpr double kNapSeconds = 0.004;

void nap() { std::this_thread::sleep_for(std::chrono::duration<double>(kNapSeconds)); }

struct NapFunction : torch::autograd::Function<NapFunction> {
  static at::Tensor forward(torch::autograd::AutogradContext*, const at::Tensor& input) {
    nap();
    return input.mul(2);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext*,
                                                 const torch::autograd::variable_list& gradients) {
    nap();
    nap();
    return {gradients[0].mul(2)};
  }
};

struct NapOptions {
  static const Schema<NapOptions>& schema() { return no_fields<NapOptions>(); }
};

// Sleeps once forward and twice backward.
class NapLayer : public Layer {
 public:
  using Options = NapOptions;
  explicit NapLayer(NapOptions) {}
  [[nodiscard]] double work() const override { return 10; }

 protected:
  Spec prepare(const Spec& input, const BuildContext&) override { return input; }
  at::Tensor forward(const at::Tensor& input) override { return NapFunction::apply(input); }
};

// A linear layer, one that naps, and another linear layer.
class NapModel : public Layer {
 public:
  NapModel() { registry<Layer>().add<NapLayer>("nap", "Sleeps."); }

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    first_ = add_child("first", layers::linear({.out_features = 4}), input, context);
    nap_ = add_child("nap", choose<Layer>("nap", NapOptions()), input, context);
    last_ = add_child("last", layers::linear({.out_features = 4}), input, context);
    return input;
  }
  at::Tensor forward(const at::Tensor& input) override {
    return (*last_)((*nap_)((*first_)(input)));
  }

 private:
  Layer* first_ = nullptr;
  Layer* nap_ = nullptr;
  Layer* last_ = nullptr;
};

TEST(TimeProfile, CountsAnInnerCallsTimeOnce) {
  TimeProfile profile;
  profile.enter("outer");
  profile.enter("inner", 5);
  nap();
  profile.leave();
  profile.leave();
  EXPECT_GE(profile.costs().at("inner").forward_seconds, kNapSeconds);
  EXPECT_LT(profile.costs().at("outer").forward_seconds,
            profile.costs().at("inner").forward_seconds);
  EXPECT_EQ(profile.costs().at("inner").multiply_adds, 5);
  EXPECT_EQ(profile.costs().at("inner").calls, 1);
}

TEST(TimeProfile, GivesBackwardTimeToTheLayerThatMadeTheNode) {
  NapModel model;
  (void)model.build(float_spec({4}), {7, "net", 0});
  TimeProfile profile;
  model.set_profile(&profile);
  model(random_batch({4})).sum().backward();
  const auto& costs = profile.costs();
  EXPECT_GE(costs.at("net.nap").forward_seconds, kNapSeconds);
  EXPECT_GE(costs.at("net.nap").backward_seconds, 2 * kNapSeconds);
  EXPECT_EQ(costs.at("net.nap").multiply_adds, 2 * 10);  // two samples
  for (const char* linear_layer : {"net.first", "net.last"}) {
    EXPECT_GT(costs.at(linear_layer).backward_seconds, 0) << linear_layer;
    EXPECT_LT(costs.at(linear_layer).backward_seconds, costs.at("net.nap").backward_seconds);
  }
  EXPECT_EQ(costs.at("net").backward_seconds, 0);
}

TEST(TimeProfile, CountsTheWorkOfTheGradientsThatAreWanted) {
  NapModel model;
  (void)model.build(float_spec({4}), {7, "net", 0});
  TimeProfile profile;
  model.set_profile(&profile);
  (void)model(random_batch({4}));
  const auto& costs = profile.costs();
  const double linear_work = 2 * 4 * 4;  // two samples
  EXPECT_EQ(costs.at("net.first").backward_multiply_adds, linear_work);
  EXPECT_EQ(costs.at("net.last").backward_multiply_adds, 2 * linear_work);
  EXPECT_EQ(costs.at("net.nap").backward_multiply_adds, 2 * 2 * 10);
  const at::NoGradGuard no_gradients;
  (void)model(random_batch({4}));
  EXPECT_EQ(costs.at("net.first").backward_multiply_adds, linear_work);
  EXPECT_EQ(costs.at("net.first").multiply_adds, 2 * linear_work);
}

TEST(TimeProfile, LeavesFusedLayersFused) {
  const auto layer = built(
      layers::sequential({{layers::linear({.out_features = 4}), layers::relu()}}), float_spec({3}));
  TimeProfile profile;
  layer->set_profile(&profile);
  (void)(*layer)(random_batch({3}));
  EXPECT_TRUE(profile.costs().contains("net.0"));
  EXPECT_FALSE(profile.costs().contains("net.1"));
}

TEST(TimeProfile, LeavesNothingBehind) {
  const auto layer = built(layers::linear({.out_features = 4}), float_spec({3}));
  EXPECT_FALSE(at::hasCallbacks());
  {
    TimeProfile profile;
    layer->set_profile(&profile);
    EXPECT_TRUE(at::hasCallbacks());
    EXPECT_THROW(TimeProfile(), InternalError);
    layer->set_profile(nullptr);
    (void)(*layer)(random_batch({3}));
    EXPECT_TRUE(profile.costs().empty());
  }
  EXPECT_FALSE(at::hasCallbacks());
  EXPECT_FALSE(layer->is_profiled());
}

TEST(TimeProfile, EndsACallThatThrows) {
  const auto layer = built(layers::linear({.out_features = 4}), float_spec({3}));
  TimeProfile profile;
  layer->set_profile(&profile);
  profile.enter("outer");
  EXPECT_THROW((void)(*layer)(random_batch({9})), GraphError);
  profile.leave();
  EXPECT_EQ(profile.costs().at("outer").calls, 1);
}

TEST(Layer, AddsUpTheWorkOfThoseBelowIt) {
  NapModel model;
  (void)model.build(float_spec({4}), {7, "net", 0});
  double sum = 0;
  for (const auto& [name, child] : model.children()) sum += child->work();
  EXPECT_EQ(model.total_work(), sum);
  EXPECT_GE(sum, 10);
}

}  // namespace
}  // namespace hearth
