// Every loss against PyTorch's functions or the papers' formulas: values and gradients, with
// weights and masks; and what all of them promise where there are no numbers.
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>

#include "hearth/config/yaml.h"
#include "hearth/network/network_fixture.h"
#include "tests/parity/parity.h"
#include "tests/parity/tried_options.h"

namespace hearth {
namespace {

// A loss set up on the keys of a case, key0, key1 and so on, with its weights and mask.
class LossTrial {
 public:
  LossTrial(const Json& one, const Json& variant, Kernels kernels = Kernels::kFast) {
    Json options = one.at("options");
    own_ = one.at("own").get<bool>();
    const size_t keys = one.at("keys").size() - (own_ ? 1 : 0);
    for (size_t k = 0; k < keys; ++k) add_key(one.at("keys")[k]);
    const size_t lengths = options.count("input_length") + options.count("target_length");
    for (size_t k = 0; k + lengths < keys; ++k) options["in"].push_back("key" + std::to_string(k));
    if (variant.contains("reduction")) options["reduction"] = variant["reduction"];
    if (variant.contains("weight")) {
      options["weight"] = "weight";
      add(at::tensor(variant["weight"].get<std::vector<float>>()), {});
      inputs_.back().set_requires_grad(false);
    }
    if (variant.contains("mask")) {
      options["mask"] = "mask";
      add(at::tensor(variant["mask"].get<std::vector<int64_t>>()).to(at::kBool),
          sample_spec({}, DType::kBool));
    }
    choice_ = {one.at("loss"), parse_yaml(options.dump(), "options")};
    make(kernels);
    if (own_) load_own(one.at("keys").back());
  }

  [[nodiscard]] at::Tensor run() { return run_op(*op_, {}, inputs_); }
  [[nodiscard]] std::vector<at::Tensor>& inputs() { return inputs_; }
  [[nodiscard]] const Spec& output() const { return output_; }
  [[nodiscard]] at::Tensor own() { return models_.all()[0]->layer().parameters()[0].second; }

 private:
  void add_key(const Json& key) {
    const int64_t classes = key.value("classes", 0);
    const bool is_soft = key.value("soft", false);
    at::Tensor value = parity_tensor(key);
    Spec spec = sample_spec(value.sizes().slice(1).vec(), DType::kFloat32, classes);
    if (classes > 0 && !is_soft) {
      value = value.to(at::kLong);
      spec.dtype = DType::kInt64;
    }
    if (classes > 0) spec.role = Role::kClass;
    add(value, spec);
  }
  void add(const at::Tensor& value, const Spec& spec) {
    inputs_.push_back(value.clone().set_requires_grad(value.is_floating_point()));
    specs_.push_back(spec);
  }
  void make(Kernels kernels) {
    models_.seed = 7;
    models_.kernels = kernels;
    for (OwnModel& own : registry<NetworkOp>().make(choice_)->own_models())
      models_.add(std::make_unique<Model>(own.name, *own.options, std::move(own.layer)));
    op_ = bound(choice_, models_);
    output_ = op_->infer(specs_).at(0);
  }
  void load_own(const Json& key) {
    const c10::AutoGradMode no_grad(false);
    own().copy_(parity_tensor(key));
  }

  bool own_ = false;
  Choice<NetworkOp> choice_;
  ModelSet models_;
  std::unique_ptr<NetworkOp> op_;
  std::vector<at::Tensor> inputs_;
  std::vector<Spec> specs_;
  Spec output_;
};

const Json& loss_cases() {
  static const Json truth = load_parity("losses.json");
  return truth.at("cases");
}

std::string trace_of(const Json& one) {
  return one.at("loss").get<std::string>() + " " + one.at("about").get<std::string>() + " " +
         one.at("options").dump();
}

// Numbers of very different sizes: some digits of the largest.
void expect_digits(const at::Tensor& found, const Json& values, const std::string& what) {
  const at::Tensor expected = at::tensor(values.get<std::vector<float>>()).reshape(found.sizes());
  const double largest = expected.abs().max().item<double>();
  EXPECT_LE(found.sub(expected).abs().max().item<double>(), 1e-6 + 2e-5 * largest) << what << "\n"
                                                                                   << found << "\n"
                                                                                   << expected;
}

void expect_truth(LossTrial& trial, const Json& variant) {
  EXPECT_EQ(trial.output(), loss_spec());
  const at::Tensor loss = trial.run();
  const auto expected = variant.at("result").get<double>();
  EXPECT_NEAR(loss.item<double>(), expected, 1e-6 + 1e-5 * std::abs(expected));
  loss.backward();
  const Json& gradients = variant.at("gradients");
  // Weights and masks come behind; behind the others the truth has the op's own parameters.
  const size_t others = variant.contains("weight") + variant.contains("mask");
  const size_t given = trial.inputs().size() - others;
  for (size_t k = 0; k < gradients.size(); ++k) {
    if (gradients[k].empty()) continue;
    const bool is_own = k >= given || !trial.inputs()[k].is_floating_point();
    const at::Tensor found = is_own ? trial.own().grad() : trial.inputs()[k].grad();
    ASSERT_TRUE(found.defined());
    expect_digits(found, gradients[k], "gradient " + std::to_string(k));
  }
}

TEST(Losses, GiveTheNumbersOfPythonsTorchAndOfThePapers) {
  for (const Json& one : loss_cases())
    for (const Json& variant : one.at("variants"))
      for (const Kernels kernels : {Kernels::kFast, Kernels::kPlain}) {
        SCOPED_TRACE(trace_of(one) + " " + variant.value("reduction", "") +
                     (variant.contains("weight") ? " weight" : "") +
                     (variant.contains("mask") ? " mask" : ""));
        LossTrial trial(one, variant, kernels);
        expect_truth(trial, variant);
      }
}

// Whatever takes weights and masks as losses do, or is called one.
bool is_loss(const std::string& name) {
  const SchemaInfo options = registry<NetworkOp>().schema(name, Mark());
  const auto has = [&](const char* option) { return options.find(option) != nullptr; };
  return name.ends_with("_loss") || (has("weight") && has("mask") && has("reduction"));
}

// All that are registered, but the one that only chooses among them and the one of three parts,
// which boxes_test.cpp tries.
TEST(Losses, AreAllTried) {
  std::set<std::string> tried = {"target_loss", "fcos_loss"};
  for (const Json& one : loss_cases()) tried.insert(one.at("loss"));
  size_t losses = 0;
  for (const std::string& name : registry<NetworkOp>().names()) {
    if (!is_loss(name)) continue;
    ++losses;
    EXPECT_TRUE(tried.contains(name)) << name << " has no case in make_losses.py";
  }
  EXPECT_EQ(losses, tried.size());
}

// Weights, masks and reductions are variants of each case; parameters of their own have a test too.
TEST(Losses, AreTriedWithAllTheirOptions) {
  std::map<std::string, std::vector<Json>> tried;
  for (const Json& one : loss_cases()) tried[one.at("loss")].push_back(one.at("options"));
  for (const auto& [name, cases] : tried)
    EXPECT_THAT(untried_options(registry<NetworkOp>().schema(name, Mark()), cases,
                                {"in", "out", "weight", "mask", "reduction", "name", "optimizer"}),
                testing::IsEmpty())
        << name << " has options without a case in make_losses.py";
}

void expect_nothing(LossTrial& trial) {
  const at::Tensor loss = trial.run();
  EXPECT_EQ(loss.item<double>(), 0);
  if (!loss.requires_grad()) return;
  loss.backward();
  for (const at::Tensor& input : trial.inputs())
    EXPECT_TRUE(!input.grad().defined() || input.grad().eq(0).all().item<bool>()) << input.grad();
}

TEST(Losses, AreNothingWhereNothingCounts) {
  const std::vector<int64_t> none(6, 0);
  for (const Json& one : loss_cases()) {
    SCOPED_TRACE(trace_of(one));
    for (const char* option : {"weight", "mask"}) {
      LossTrial trial(one, Json{{option, none}});
      expect_nothing(trial);
    }
  }
}

TEST(Losses, AreNothingInAnEmptyBatch) {
  for (const Json& one : loss_cases()) {
    SCOPED_TRACE(trace_of(one));
    LossTrial trial(one, Json::object());
    for (at::Tensor& input : trial.inputs())
      input = input.detach().narrow(0, 0, 0).clone().set_requires_grad(input.is_floating_point());
    expect_nothing(trial);
  }
}

TEST(Losses, AreNotNumbersWhenWhatTheyTakeIsNot) {
  for (const Json& one : loss_cases()) {
    SCOPED_TRACE(trace_of(one));
    LossTrial trial(one, Json::object());
    for (size_t place = 0; place < 2; ++place) {
      at::Tensor& first = trial.inputs()[0];
      first = first.detach().clone();
      first.view({-1})[static_cast<int64_t>(place)] = std::numeric_limits<float>::quiet_NaN();
      EXPECT_TRUE(trial.run().isnan().item<bool>());
    }
  }
}

// What is hidden may hold anything.
TEST(Losses, DoNotSeeWhatIsHidden) {
  std::vector<int64_t> shown(6, 1);
  shown[2] = 0;
  for (const Json& one : loss_cases()) {
    SCOPED_TRACE(trace_of(one));
    LossTrial trial(one, Json{{"mask", shown}});
    const auto expected = trial.run().item<double>();
    for (at::Tensor& input : trial.inputs()) {
      if (!input.is_floating_point()) continue;
      input = input.detach().clone();
      input[2].fill_(1e3);
    }
    EXPECT_EQ(trial.run().item<double>(), expected);
  }
}

TEST(Losses, CanBeGivenForEachSample) {
  for (const Json& one : loss_cases()) {
    SCOPED_TRACE(trace_of(one));
    LossTrial sum(one, Json{{"reduction", "sum"}});
    LossTrial each(one, Json{{"reduction", "none"}});
    const at::Tensor losses = each.run();
    EXPECT_FALSE(each.output().is_per_batch);
    EXPECT_EQ(losses.sizes().slice(1).vec(), each.output().shape);
    EXPECT_EQ(losses.size(0), 6);
    const auto expected = sum.run().item<double>();
    EXPECT_NEAR(losses.sum().item<double>(), expected, 1e-5 * std::abs(expected));
  }
}

}  // namespace
}  // namespace hearth
