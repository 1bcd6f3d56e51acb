// One update over many tensors: every value once, none beyond, the same bits for any threads.
#include "hearth/kernels/update/multi_tensor.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "hearth/core/shard_tree.h"
#include "hearth/kernels/kernels.h"
#include "hearth/kernels/update/formulas/adam.h"
#include "hearth/kernels/update/formulas/descent.h"
#include "hearth/kernels/update/tensor_values.h"

namespace hearth {
namespace {

constexpr size_t kBeyond = 9;  // values behind each span, which nobody may touch
constexpr float kUntouched = 123.5F;

std::vector<float> random_values(size_t size, std::mt19937& random) {
  std::vector<float> values(size + kBeyond, kUntouched);
  std::normal_distribution<float> normal;
  for (size_t i = 0; i < size; ++i) values[i] = normal(random);
  return values;
}

// A parameter with a gradient, two slots and an average.
struct SpanMemory {
  SpanMemory(size_t size, std::mt19937& random)
      : parameter(random_values(size, random)),
        gradient(random_values(size, random)),
        first(random_values(size, random)),
        second(random_values(size, random)),
        average(random_values(size, random)) {
    for (size_t i = 0; i < size; ++i) second[i] = std::abs(second[i]);
  }
  UpdateSpan span(const UpdateRule& rule) {
    UpdateSpan span;
    span.size = static_cast<int64_t>(parameter.size() - kBeyond);
    span.parameter = parameter.data();
    span.gradient = gradient.data();
    span.slots[0] = first.data();
    span.slots[1] = second.data();
    span.average = average.data();
    span.average_keep = 0.75F;
    span.average_take = 0.25F;
    span.rule = rule;
    return span;
  }
  [[nodiscard]] bool is_untouched_beyond() const {
    bool is_untouched = true;
    for (const auto* values : {&parameter, &gradient, &first, &second, &average})
      for (size_t i = values->size() - kBeyond; i < values->size(); ++i)
        is_untouched = is_untouched && (*values)[i] == kUntouched;
    return is_untouched;
  }
  bool operator==(const SpanMemory&) const = default;

  std::vector<float> parameter;
  std::vector<float> gradient;
  std::vector<float> first;
  std::vector<float> second;
  std::vector<float> average;
};

UpdateRule adam_numbers() {
  return update_rule<formulas::Adam<false>>({.lr = 0.125,
                                             .weight_decay = 0.25,
                                             .shrink = 0.75,
                                             .keep = 0.5,
                                             .take = 0.5,
                                             .square_keep = 0.75,
                                             .square_take = 0.25,
                                             .root_factor = 2,
                                             .eps = 0.5});
}

UpdateRule descent_numbers() {
  return update_rule<formulas::Descent>({.lr = 1, .weight_decay = 0});
}

template <bool LooksAhead>
UpdateRule momentum_numbers() {
  return update_rule<formulas::Momentum<LooksAhead>>(
      {.lr = 0.125, .weight_decay = 0.25, .keep = 0.5, .take = 0.5});
}

// The same on one value, in double.
void adam_by_hand(const SpanMemory& before, size_t i, double scale, const SpanMemory& after) {
  const double parameter = 0.75 * before.parameter[i];
  const double gradient = scale * before.gradient[i] + 0.25 * parameter;
  const double first = 0.5 * before.first[i] + 0.5 * gradient;
  const double second = 0.75 * before.second[i] + 0.25 * gradient * gradient;
  const double moved = parameter - 0.125 * first / (2 * std::sqrt(second) + 0.5);
  ASSERT_NEAR(after.first[i], first, 1e-6);
  ASSERT_NEAR(after.second[i], second, 2e-6);
  ASSERT_NEAR(after.parameter[i], moved, 1e-6);
  ASSERT_NEAR(after.average[i], 0.75 * before.average[i] + 0.25 * moved, 1e-6);
  ASSERT_EQ(after.gradient[i], before.gradient[i]);
}

std::vector<SpanMemory> mixed_spans() {
  std::mt19937 random(5);
  std::vector<SpanMemory> spans;
  for (const size_t size : {1, 40000, 7, 8, 9, 0, 16383, 16384, 16385, 100, 33000})
    spans.emplace_back(size, random);
  return spans;
}

std::vector<UpdateSpan> spans_of(std::vector<SpanMemory>& memory, const UpdateRule& rule) {
  std::vector<UpdateSpan> spans;
  for (SpanMemory& one : memory) spans.push_back(one.span(rule));
  return spans;
}

class MultiTensor : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_vector_unit()) GTEST_SKIP() << "needs AVX2 and FMA";
  }
  void TearDown() override { at::set_num_threads(threads_); }

 private:
  int threads_ = at::get_num_threads();
};

TEST_F(MultiTensor, UpdatesEveryValueOnceAndNoneBeyond) {
  const std::vector<SpanMemory> before = mixed_spans();
  std::vector<SpanMemory> after = before;
  at::set_num_threads(2);
  update_spans(spans_of(after, adam_numbers()));
  for (size_t k = 0; k < before.size(); ++k) {
    EXPECT_TRUE(after[k].is_untouched_beyond());
    for (size_t i = 0; i + kBeyond < before[k].parameter.size(); ++i)
      adam_by_hand(before[k], i, 1, after[k]);
  }
}

TEST_F(MultiTensor, GivesTheSameBitsForAnyNumberOfThreads) {
  const auto result = [](int threads) {
    at::set_num_threads(threads);
    std::vector<SpanMemory> memory = mixed_spans();
    update_spans(spans_of(memory, adam_numbers()), 0.5);
    return memory;
  };
  const std::vector<SpanMemory> single = result(1);
  EXPECT_TRUE(result(2) == single);
  EXPECT_TRUE(result(5) == single);
}

TEST_F(MultiTensor, NormIsThatOfAllGradientsTogether) {
  std::vector<SpanMemory> memory = mixed_spans();
  double squares = 0;
  for (const SpanMemory& one : memory)
    for (size_t i = 0; i + kBeyond < one.gradient.size(); ++i)
      squares += static_cast<double>(one.gradient[i]) * one.gradient[i];
  EXPECT_NEAR(gradient_norm(spans_of(memory, {})) / std::sqrt(squares), 1, 1e-12);
}

TEST_F(MultiTensor, ScalesGradientsDownToTheNormAndNeverUp) {
  std::mt19937 random(1);
  const SpanMemory before(20, random);
  SpanMemory clipped = before;
  const double norm = gradient_norm(std::vector{clipped.span({})});
  update_spans(std::vector{clipped.span(adam_numbers())}, norm / 4);
  for (size_t i = 0; i < 20; ++i) adam_by_hand(before, i, 0.25, clipped);
  SpanMemory same = before;
  update_spans(std::vector{same.span(adam_numbers())}, norm * 4);
  for (size_t i = 0; i < 20; ++i) adam_by_hand(before, i, 1, same);
}

TEST_F(MultiTensor, ShowsAGradientThatIsNotANumberInEveryParameterItClips) {
  std::vector<SpanMemory> memory = mixed_spans();
  memory[1].gradient[17] = std::numeric_limits<float>::quiet_NaN();
  update_spans(spans_of(memory, descent_numbers()), 1);
  EXPECT_TRUE(std::isnan(memory[0].parameter[0]));
}

TEST_F(MultiTensor, OnlyAveragesAParameterWithoutAGradient) {
  std::mt19937 random(1);
  const SpanMemory before(19, random);
  SpanMemory after = before;
  UpdateSpan span = after.span(adam_numbers());
  span.gradient = nullptr;
  update_spans(std::vector{span}, 1);
  for (size_t i = 0; i < 19; ++i)
    EXPECT_FLOAT_EQ(after.average[i], 0.75F * before.average[i] + 0.25F * before.parameter[i]);
  after.average = before.average;
  EXPECT_TRUE(after == before);
}

// Gradients in several parts, and the same gradients as one, added up by ShardTree.
struct SplitGradients {
  explicit SplitGradients(int parts)
      : whole(mixed_spans()), split(whole), more(whole.size()), pointers(whole.size()) {
    std::mt19937 random(8);
    for (size_t k = 0; k < whole.size(); ++k) {
      for (int part = 1; part < parts; ++part)
        more[k].push_back(random_values(whole[k].gradient.size() - kBeyond, random));
      for (const std::vector<float>& values : more[k]) pointers[k].push_back(values.data());
      for (size_t i = 0; i + kBeyond < whole[k].gradient.size(); ++i)
        whole[k].gradient[i] = ShardTree::sum(
            {0, parts},
            [&](int64_t part) {
              return part == 0 ? split[k].gradient[i]
                               : pointers[k][static_cast<size_t>(part) - 1][i];
            },
            [](float left, float right) { return left + right; });
    }
  }
  std::vector<UpdateSpan> split_spans(const UpdateRule& rule) {
    std::vector<UpdateSpan> spans = spans_of(split, rule);
    for (size_t k = 0; k < spans.size(); ++k) {
      spans[k].more_gradients = pointers[k].data();
      spans[k].more_count = static_cast<int>(pointers[k].size());
    }
    return spans;
  }
  std::vector<SpanMemory> whole, split;
  std::vector<std::vector<std::vector<float>>> more;
  std::vector<std::vector<const float*>> pointers;
};

TEST_F(MultiTensor, AddsGradientsOfReplicasInTheSamePass) {
  int parts = 1;
  for (const UpdateRule& rule :
       {descent_numbers(), momentum_numbers<false>(), momentum_numbers<true>(), adam_numbers()}) {
    SplitGradients gradients(++parts);
    Crew crew(3);
    update_spans(gradients.split_spans(rule), 0.5, &crew);
    update_spans(spans_of(gradients.whole, rule), 0.5);
    for (size_t k = 0; k < gradients.whole.size(); ++k) {
      EXPECT_TRUE(gradients.split[k].is_untouched_beyond());
      EXPECT_EQ(gradients.split[k].parameter, gradients.whole[k].parameter);
      EXPECT_EQ(gradients.split[k].first, gradients.whole[k].first);
      EXPECT_EQ(gradients.split[k].second, gradients.whole[k].second);
      EXPECT_EQ(gradients.split[k].average, gradients.whole[k].average);
    }
  }
}

}  // namespace
}  // namespace hearth
