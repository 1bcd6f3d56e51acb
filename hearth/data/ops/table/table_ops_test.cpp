// Tests of ops on tables: what they make of values, and what they learn from data.
#include <gtest/gtest.h>

#include <cmath>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/config/yaml.h"
#include "hearth/data/ops/table/bucketize.h"
#include "hearth/data/ops/table/concat_features.h"
#include "hearth/data/ops/table/cyclic.h"
#include "hearth/data/ops/table/hash.h"
#include "hearth/data/ops/table/impute.h"
#include "hearth/data/ops/table/label_smoothing.h"
#include "hearth/data/ops/table/one_hot.h"
#include "hearth/data/ops/table/standardize.h"
#include "hearth/data/ops/table/to_number.h"

namespace hearth {
namespace {

using Floats = std::vector<float>;

// A value with its spec, to be read.
template <class T>
struct Given {
  std::vector<T> values;
  Spec spec;
  [[nodiscard]] View view() {
    return {reinterpret_cast<std::byte*>(values.data()), &spec, spec.shape};
  }
};

Given<float> numbers(const Floats& values, const std::vector<std::string>& columns = {}) {
  Spec spec{.dtype = DType::kFloat32, .shape = {static_cast<int64_t>(values.size())}};
  spec.columns = columns;
  return {values, spec};
}

Given<int64_t> class_number(int64_t number, int64_t classes, Role role = Role::kClass) {
  Spec spec{.dtype = DType::kInt64, .classes = classes};
  spec.role = role;
  return {{number}, spec};
}

Given<char> text(const std::string& letters) {
  Spec spec{.dtype = DType::kUint8, .shape = {static_cast<int64_t>(letters.size())}};
  spec.role = Role::kText;
  return {{letters.begin(), letters.end()}, spec};
}

std::unique_ptr<SampleOp> made(const Choice<SampleOp>& choice) {
  return registry<SampleOp>().make(choice);
}

// All outputs of the op as vectors of T, one after the other.
template <class T>
std::vector<std::vector<T>> outputs_of(const SampleOp& op, const std::vector<View>& inputs) {
  std::vector<Spec> specs;
  for (const View& input : inputs) specs.push_back(*input.spec);
  const std::vector<Spec> made_specs = op.infer(specs);
  std::vector<std::vector<T>> outputs;
  std::vector<Cell> cells;
  for (const Spec& spec : made_specs) outputs.emplace_back(static_cast<size_t>(spec.elements()));
  for (size_t k = 0; k < outputs.size(); ++k)
    cells.emplace_back(reinterpret_cast<std::byte*>(outputs[k].data()), made_specs[k]);
  Random random({});
  op.run(random, inputs, cells);
  return outputs;
}

// The op as it is after it has seen the rows.
Choice<SampleOp> fitted(const Choice<SampleOp>& choice, const std::vector<Floats>& rows,
                        const std::vector<std::string>& columns = {}) {
  const auto op = made(choice);
  EXPECT_TRUE(op->needs_fitting());
  const auto fitting = op->fitting({numbers(rows[0], columns).spec});
  do {
    for (const Floats& row : rows) {
      auto given = numbers(row, columns);
      const View view = given.view();
      fitting->add({&view, 1});
    }
  } while (!fitting->finish());
  Choice<SampleOp> result = choice;
  const Node found = fitting->options();
  for (const Node::Entry& entry : found.entries()) result = result.with(entry.key, entry.value);
  EXPECT_FALSE(made(result)->needs_fitting());
  return result;
}

TEST(Standardize, LearnsMeanAndDeviation) {
  const auto op = made(fitted(sample_ops::standardize(), {{1, 5}, {3, 5}, {NAN, 5}}));
  auto row = numbers({3, NAN});
  const Floats out = outputs_of<float>(*op, {row.view()})[0];
  EXPECT_EQ(out[0], 1);
  EXPECT_TRUE(std::isnan(out[1]));
}

TEST(Standardize, KeepsWhatTheConfigGivesAndLearnsTheRest) {
  const auto choice = fitted(sample_ops::standardize({.mean = {10}}), {{1, 5}, {3, 9}});
  EXPECT_EQ(to_yaml_line(*choice.options().find("mean")), "[10]");
  EXPECT_EQ(to_yaml_line(*choice.options().find("std")), "[1, 2]");
  auto row = numbers({11, 14});
  EXPECT_EQ(outputs_of<float>(*made(choice), {row.view()})[0], (Floats{1, 2}));
}

TEST(Standardize, DoesNotRunBeforeItHasLearned) {
  auto row = numbers({1});
  EXPECT_EQ(message_of<DataError>(
                [&] { (void)outputs_of<float>(*made(sample_ops::standardize()), {row.view()}); }),
            "standardize runs before it has learned from the training data.");
}

TEST(Standardize, SaysWhatDoesNotFit) {
  auto row = numbers({1, 2});
  auto label = class_number(1, 3, Role::kTokens);
  EXPECT_EQ(message_of<GraphError>([&] {
              (void)made(sample_ops::standardize({.mean = {1, 2, 3}}))->infer({row.spec});
            }),
            "standardize: mean has 3 values, but key 'features' is float32 [B, 2]. Give one value, "
            "or one for each number.");
  EXPECT_EQ(
      message_of<GraphError>([&] { (void)made(sample_ops::standardize())->infer({label.spec}); }),
      "standardize: key 'features' must hold float32 of one size, but is int64 [B], 3 "
      "classes. Put one_hot before it, which makes numbers of classes.");
  EXPECT_THROW((void)made(sample_ops::standardize({.mean = {0}, .std = {0}})), ConfigError);
}

TEST(Impute, FillsInWhatTheDataShows) {
  const std::vector<Floats> rows = {{1, 2}, {NAN, 2}, {2, 7}, {9, NAN}};
  const std::pair<std::string, Floats> expected[] = {
      {"mean", {4, 11 / 3.0F}}, {"median", {2, 2}}, {"most_frequent", {1, 2}}};
  for (const auto& [by, values] : expected) {
    const auto op = made(fitted(sample_ops::impute({.by = by}), rows));
    auto row = numbers({NAN, NAN});
    EXPECT_EQ(outputs_of<float>(*op, {row.view()})[0], values) << by;
    auto whole = numbers({5, 6});
    EXPECT_EQ(outputs_of<float>(*op, {whole.view()})[0], (Floats{5, 6})) << by;
  }
}

TEST(Impute, TellsWhatWasMissing) {
  const auto op = made(sample_ops::impute({.values = {7}, .indicator = "missing"}));
  auto row = numbers({NAN, 2}, {"a", "b"});
  const auto out = outputs_of<float>(*op, {row.view()});
  EXPECT_EQ(out[0], (Floats{7, 2}));
  EXPECT_EQ(out[1], (Floats{1, 0}));
  EXPECT_EQ(op->infer({row.spec})[1].columns, (std::vector<std::string>{"a.missing", "b.missing"}));
  EXPECT_FALSE(made(sample_ops::impute({.by = "constant"}))->needs_fitting());
}

TEST(OneHot, PutsAOneAtThePlaceOfTheClass) {
  const auto op = made(sample_ops::one_hot());
  auto label = class_number(2, 4);
  EXPECT_EQ(outputs_of<float>(*op, {label.view()})[0], (Floats{0, 0, 1, 0}));
  EXPECT_EQ(op->infer({label.spec})[0].role, Role::kClass);
  auto wrong = class_number(-1, 4);
  EXPECT_EQ(message_of<DataError>([&] { (void)outputs_of<float>(*op, {wrong.view()}); }),
            "key 'label' is class -1, but there are 4.");
}

TEST(LabelSmoothingOp, LeavesAShareToEveryClass) {
  const auto op = made(sample_ops::label_smoothing({.amount = 0.4}));
  auto label = class_number(1, 4);
  const Floats soft = outputs_of<float>(*op, {label.view()})[0];
  EXPECT_FLOAT_EQ(soft[0], 0.1F);
  EXPECT_FLOAT_EQ(soft[1], 0.7F);
}

TEST(ToNumber, ReadsNumbersAndWhatIsMissing) {
  const auto op = made(sample_ops::to_number());
  auto number = text(" -1.5e2 ");
  EXPECT_EQ(outputs_of<float>(*op, {number.view()})[0], Floats{-150});
  auto missing = text("NA");
  EXPECT_TRUE(std::isnan(outputs_of<float>(*op, {missing.view()})[0][0]));
  auto wrong = text("two");
  EXPECT_EQ(message_of<DataError>([&] { (void)outputs_of<float>(*op, {wrong.view()}); }),
            "expected a number, but found 'two'. Mend it, or list it under `missing`.");
}

TEST(HashOp, IsTheSameEverywhereAndDependsOnTheSeed) {
  auto word = text("Bern");
  const auto bucket = [&](int64_t seed) {
    const auto op = made(sample_ops::hash({.buckets = 1'000'000, .seed = seed}));
    return outputs_of<int64_t>(*op, {word.view()})[0][0];
  };
  EXPECT_EQ(bucket(0), bucket(0));
  EXPECT_NE(bucket(0), bucket(1));
}

TEST(Bucketize, LearnsQuantilesAsBorders) {
  std::vector<Floats> rows;
  for (int i = 0; i < 100; ++i) rows.push_back({0, static_cast<float>(i)});
  const auto choice =
      fitted(sample_ops::bucketize({.column = "b", .buckets = 4}), rows, {"a", "b"});
  EXPECT_EQ(to_yaml_line(*choice.options().find("borders")), "[24, 49, 74]");
  const auto op = made(choice);
  const auto bucket = [&](float value) {
    auto row = numbers({0, value}, {"a", "b"});
    return outputs_of<int64_t>(*op, {row.view()})[0][0];
  };
  EXPECT_EQ(bucket(-5), 1);
  EXPECT_EQ(bucket(24), 2);
  EXPECT_EQ(bucket(1000), 4);
  EXPECT_EQ(bucket(NAN), 0);
}

TEST(Bucketize, HasAsManyClassesBeforeItLearnsAsAfter) {
  const auto open = sample_ops::bucketize({.buckets = 5});
  const auto choice = fitted(open, {{1}, {1}, {1}});
  const Spec spec = numbers({1}).spec;
  EXPECT_EQ(made(open)->infer({spec})[0].classes, 6);
  EXPECT_EQ(made(choice)->infer({spec})[0].classes, 6);
}

TEST(Cyclic, PutsTheLastBesideTheFirst) {
  const auto op = made(sample_ops::cyclic({.columns = {"when.hour"}}));
  auto row = numbers({7, 6}, {"x", "when.hour"});
  const Floats out = outputs_of<float>(*op, {row.view()})[0];
  ASSERT_EQ(out.size(), 3U);
  EXPECT_EQ(out[0], 7);
  EXPECT_FLOAT_EQ(out[1], 1);
  EXPECT_NEAR(out[2], 0, 1e-6);
  EXPECT_EQ(op->infer({row.spec})[0].columns,
            (std::vector<std::string>{"x", "when.hour.sin", "when.hour.cos"}));
  EXPECT_EQ(message_of<GraphError>(
                [&] { (void)made(sample_ops::cyclic({.columns = {"x"}}))->infer({row.spec}); }),
            "cyclic: after how much column 'x' begins again is not known. Give `period`.");
}

TEST(ConcatFeatures, PutsKeysTogetherWithTheirNames) {
  const auto op = made(sample_ops::concat_features({.keys = {"features", "extra"}}));
  auto features = numbers({1, 2}, {"a", "b"});
  auto extra = numbers({3});
  EXPECT_EQ(outputs_of<float>(*op, {features.view(), extra.view()})[0], (Floats{1, 2, 3}));
  EXPECT_EQ(op->infer({features.spec, extra.spec})[0].columns,
            (std::vector<std::string>{"a", "b", "extra"}));
  auto label = class_number(1, 3);
  EXPECT_THROW((void)op->infer({features.spec, label.spec}), GraphError);
}

}  // namespace
}  // namespace hearth
