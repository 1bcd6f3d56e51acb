// Boxes of a detector: suppression, coding, losses and what is found, as torchvision has them.
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hearth/network/boxes/box_points.h"
#include "hearth/network/boxes/box_suppression.h"
#include "hearth/network/network_fixture.h"
#include "hearth/network/ops/detections.h"
#include "hearth/network/ops/losses/fcos_loss.h"
#include "tests/parity/parity.h"

namespace hearth {
namespace {

const Json& truth_of(const char* part) {
  static const Json truth = load_parity("detection.json");
  return truth.at(part);
}

at::Tensor exact(const Json& json) {
  return at::tensor(json.at("values").get<std::vector<double>>())
      .reshape(json.at("shape").get<std::vector<int64_t>>());
}

// Numbers of the boxes that stay, best first.
std::vector<int64_t> kept_numbers(const Json& one, bool by_class, Kernels kernels) {
  const auto scores = one.at("scores").get<std::vector<double>>();
  std::vector<int64_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int64_t left, int64_t right) {
    return scores[static_cast<size_t>(left)] > scores[static_cast<size_t>(right)];
  });
  const at::Tensor places = at::tensor(order, at::kLong);
  const at::Tensor boxes = exact(one.at("boxes")).index_select(0, places).to(at::kFloat);
  at::Tensor classes =
      at::tensor(one.at("classes").get<std::vector<int64_t>>(), at::kLong).index_select(0, places);
  if (!by_class) classes = classes.mul(0);
  const at::Tensor there = at::full({1, boxes.size(0)}, true, at::kBool);
  const at::Tensor kept = kept_boxes(kernels, boxes.unsqueeze(0), classes.unsqueeze(0), there,
                                     one.at("threshold").get<double>())[0];
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < order.size(); ++i)
    if (kept[static_cast<int64_t>(i)].item<bool>()) numbers.push_back(order[i]);
  return numbers;
}

TEST(BoxSuppression, KeepsTheBoxesThatTorchvisionKeeps) {
  ASSERT_EQ(truth_of("suppression").size(), 4U);
  for (const Json& one : truth_of("suppression"))
    for (const Kernels kernels : {Kernels::kFast, Kernels::kPlain}) {
      SCOPED_TRACE(one.at("boxes").at("shape").dump());
      EXPECT_EQ(kept_numbers(one, false, kernels), one.at("kept").get<std::vector<int64_t>>());
      EXPECT_EQ(kept_numbers(one, true, kernels),
                one.at("kept_of_class").get<std::vector<int64_t>>());
    }
}

TEST(BoxSuppression, LeavesOutWhatIsNotThere) {
  const at::Tensor boxes =
      at::tensor({0.0F, 0.0F, 4.0F, 4.0F}).reshape({1, 1, 4}).repeat({1, 3, 1});
  const at::Tensor classes = at::zeros({1, 3}, at::kLong);
  const at::Tensor there = at::tensor({0, 1, 1}).to(at::kBool).unsqueeze(0);
  for (const Kernels kernels : {Kernels::kFast, Kernels::kPlain}) {
    const at::Tensor kept = kept_boxes(kernels, boxes, classes, there, 0.5);
    EXPECT_TRUE(kept.equal(at::tensor({0, 1, 0}).to(at::kBool).unsqueeze(0)));
  }
}

TEST(BoxPoints, SayBoxesAsTorchvisionDoes) {
  const Json& truth = truth_of("losses");
  const at::Tensor points = exact(truth.at("points")).unsqueeze(0);
  const at::Tensor distances = exact(truth.at("outputs").at("bbox_regression")).narrow(0, 0, 1);
  const at::Tensor boxes = boxes_of(points, distances);
  expect_near(boxes[0], exact(truth.at("decoded")), 1e-12);
  expect_near(distances_of(points, boxes)[0], exact(truth.at("encoded")), 1e-12);
}

// The head's outputs of a truth, with the points of its maps.
struct HeadTrial {
  std::vector<at::Tensor> values;
  std::vector<Spec> specs;

  HeadTrial(const Json& truth, at::ScalarType type) {
    for (const char* name : {"cls_logits", "bbox_regression", "bbox_ctrness"})
      add(exact(truth.at("outputs").at(name)).to(type).set_requires_grad(true));
    const at::Tensor points = exact(truth_of("losses").at("points")).to(type);
    add(points.unsqueeze(0).expand({values[0].size(0), -1, -1}));
  }
  void add(const at::Tensor& value, int64_t classes = 0) {
    values.push_back(value);
    specs.push_back(sample_spec(value.sizes().slice(1).vec(), DType::kFloat32, classes));
    if (value.scalar_type() == at::kLong) specs.back().dtype = DType::kInt64;
    if (value.scalar_type() == at::kBool) specs.back().dtype = DType::kBool;
  }
  std::vector<at::Tensor> run(const Choice<NetworkOp>& choice, Kernels kernels = Kernels::kFast) {
    ModelSet models;
    models.kernels = kernels;
    const auto op = bound(choice, models);
    (void)op->infer(specs);
    std::vector<at::Tensor> outputs(op->writes().size());
    StepContext context;
    op->run(context, values, outputs);
    return outputs;
  }
};

// Boxes and labels filled up with ones that are not there.
void add_targets(HeadTrial& trial, const Json& targets, at::ScalarType type) {
  const auto samples = static_cast<int64_t>(targets.size());
  constexpr int64_t kMost = 5;
  const at::Tensor boxes = at::zeros({samples, kMost, 4}, type).add_(3);
  const at::Tensor labels = at::zeros({samples, kMost}, at::kLong);
  const at::Tensor there = at::zeros({samples, kMost}, at::kBool);
  for (int64_t i = 0; i < samples; ++i) {
    const Json& target = targets[static_cast<size_t>(i)];
    for (size_t k = 0; k < target.at("boxes").size(); ++k) {
      const auto place = static_cast<int64_t>(k);
      boxes[i][place] = at::tensor(target.at("boxes")[k].get<std::vector<double>>()).to(type);
      labels[i][place] = target.at("labels")[k].get<int64_t>();
      there[i][place] = true;
    }
  }
  trial.add(boxes);
  trial.add(labels, 3);
  trial.add(there);
}

void expect_losses(at::ScalarType type, double tolerance) {
  const Json& truth = truth_of("losses");
  for (size_t which = 0; which < 3; ++which) {
    const char* names[] = {"classification", "bbox_regression", "bbox_ctrness"};
    SCOPED_TRACE(names[which]);
    HeadTrial trial(truth, type);
    add_targets(trial, truth.at("targets"), type);
    const at::Tensor loss = trial.run(network_ops::fcos_loss({.mask = "shown"}))[which];
    const double expected = truth.at("losses").at(names[which]);
    EXPECT_NEAR(loss.item<double>(), expected, tolerance * (1 + expected));
    loss.backward();
    const at::Tensor gradient = exact(truth.at("gradients").at(names[which]));
    expect_near(trial.values[which].grad().to(at::kDouble), gradient,
                tolerance * gradient.abs().max().item<double>() + 1e-12);
  }
}

TEST(FcosLoss, IsThatOfTorchvision) { expect_losses(at::kDouble, 1e-9); }

TEST(FcosLoss, IsThatOfTorchvisionInSinglePrecision) { expect_losses(at::kFloat, 1e-5); }

TEST(FcosLoss, IsOfClassesAloneWithoutAnyBox) {
  HeadTrial trial(truth_of("losses"), at::kFloat);
  trial.add(at::zeros({3, 1, 4}));
  trial.add(at::zeros({3, 1}, at::kLong), 3);
  trial.add(at::zeros({3, 1}, at::kBool));
  const std::vector<at::Tensor> losses = trial.run(network_ops::fcos_loss({.mask = "shown"}));
  EXPECT_GT(losses[0].item<double>(), 0);
  EXPECT_EQ(losses[1].item<double>(), 0);
  EXPECT_EQ(losses[2].item<double>(), 0);
}

// A sample that weighs nothing might as well not be there.
TEST(FcosLoss, WeighsSamples) {
  HeadTrial trial(truth_of("losses"), at::kDouble);
  add_targets(trial, truth_of("losses").at("targets"), at::kDouble);
  HeadTrial first = trial;
  for (at::Tensor& value : first.values) value = value.narrow(0, 0, 1);
  trial.add(at::tensor({2.0, 0.0, 0.0}));
  const auto expected = first.run(network_ops::fcos_loss({.mask = "shown"}));
  const auto found = trial.run(network_ops::fcos_loss({.mask = "shown", .weight = "importance"}));
  for (size_t i = 0; i < 3; ++i) expect_near(found[i], expected[i], 1e-12);
}

// The one with several boxes, alone and beside others that are hidden.
TEST(FcosLoss, LeavesOutHiddenSamples) {
  HeadTrial trial(truth_of("losses"), at::kDouble);
  add_targets(trial, truth_of("losses").at("targets"), at::kDouble);
  HeadTrial first = trial;
  for (at::Tensor& value : first.values) value = value.narrow(0, 0, 1);
  const auto expected = first.run(network_ops::fcos_loss({.mask = "shown"}));
  // What is there of boxes that the mask is not for: only such as no point is assigned.
  trial.values[6] = at::tensor({1, 0, 0}).to(at::kBool);
  trial.specs[6] = sample_spec({}, DType::kBool);
  const auto found = trial.run(network_ops::fcos_loss({.mask = "chosen"}));
  for (size_t i = 0; i < 3; ++i) expect_near(found[i], expected[i], 1e-12);
}

// By the number of points with a box, which a sample alone tells, the parts are the whole.
TEST(FcosLoss, GivesSumsAndLossesOfSamples) {
  HeadTrial trial(truth_of("losses"), at::kDouble);
  add_targets(trial, truth_of("losses").at("targets"), at::kDouble);
  const auto sums = trial.run(network_ops::fcos_loss({.mask = "shown", .reduction = "sum"}));
  const auto means = trial.run(network_ops::fcos_loss({.mask = "shown"}));
  const auto each = trial.run(network_ops::fcos_loss({.mask = "shown", .reduction = "none"}));
  const double points = sums[0].item<double>() / means[0].item<double>();
  EXPECT_GT(points, 2);
  EXPECT_NEAR(points, std::round(points), 1e-9);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(sums[i].item<double>(), points * means[i].item<double>(), 1e-9);
    ASSERT_EQ(each[i].sizes(), at::IntArrayRef{3});
    HeadTrial alone = trial;
    for (at::Tensor& value : alone.values) value = value.narrow(0, 1, 1);
    expect_near(each[i][1], alone.run(network_ops::fcos_loss({.mask = "shown"}))[i], 1e-12);
  }
}

TEST(FcosLoss, SaysWhichWeightDoesNotFit) {
  HeadTrial trial(truth_of("losses"), at::kFloat);
  add_targets(trial, truth_of("losses").at("targets"), at::kFloat);
  trial.add(at::zeros({3, 5}));
  try {
    (void)trial.run(network_ops::fcos_loss({.mask = "shown", .weight = "importance"}));
    FAIL();
  } catch (const GraphError& error) {
    EXPECT_STREQ(error.what(),
                 "weight needs a number for each sample, [B], but 'importance' is "
                 "float32 [B, 5]. Name such a key.");
  }
}

TEST(FcosLoss, SaysWhatDoesNotFit) {
  HeadTrial trial(truth_of("losses"), at::kFloat);
  trial.add(at::zeros({3, 4}));
  trial.add(at::zeros({3, 1}, at::kLong), 3);
  try {
    (void)trial.run(network_ops::fcos_loss());
    FAIL();
  } catch (const GraphError& error) {
    EXPECT_STREQ(error.what(),
                 "needs a list of boxes for each sample, float [B, N, 4], in 'boxes', but it is "
                 "float32 [B, 4]. Fill boxes up to the longest of their batch with pad_longest.");
  }
}

TEST(Detections, AreThoseOfTorchvision) {
  const Json& truth = truth_of("detections");
  for (const Kernels kernels : {Kernels::kFast, Kernels::kPlain}) {
    HeadTrial trial(truth, at::kFloat);
    trial.add(at::zeros({2, 3, 40, 48}));
    const auto outputs = trial.run(network_ops::detections({.mask = "found"}), kernels);
    for (int64_t sample = 0; sample < 2; ++sample) {
      const Json& expected = truth.at("found")[static_cast<size_t>(sample)];
      const auto count = static_cast<int64_t>(expected.at("boxes").size());
      ASSERT_GT(count, 3);
      EXPECT_EQ(outputs[1][sample].sum().item<int64_t>(), count);
      for (int64_t i = 0; i < count; ++i) {
        const at::Tensor row = outputs[0][sample][i];
        const auto box = expected.at("boxes")[static_cast<size_t>(i)].get<std::vector<double>>();
        for (int64_t side = 0; side < 4; ++side)
          EXPECT_NEAR(row[side].item<double>(), box[static_cast<size_t>(side)], 1e-4);
        EXPECT_NEAR(row[4].item<double>(), expected.at("scores")[static_cast<size_t>(i)], 1e-6);
        EXPECT_EQ(row[5].item<double>(), expected.at("labels")[static_cast<size_t>(i)]);
      }
      EXPECT_EQ(outputs[0][sample].slice(0, count).abs().sum().item<double>(), 0);
    }
  }
}

TEST(Detections, KeepTheBestOnly) {
  HeadTrial trial(truth_of("detections"), at::kFloat);
  trial.add(at::zeros({2, 3, 40, 48}));
  const auto all = trial.run(network_ops::detections());
  const auto two = trial.run(network_ops::detections({.most = 2}));
  EXPECT_TRUE(two[0].equal(all[0].narrow(1, 0, 2)));
}

}  // namespace
}  // namespace hearth
