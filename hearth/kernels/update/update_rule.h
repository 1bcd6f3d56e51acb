// How one parameter moves in a step: a formula, which is written once for LibTorch's operators and
// for vectors of floats, and its numbers.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>

namespace at {
class Tensor;
}

namespace hearth {

struct UpdateSpan;
struct UpdateRule;

// Of a parameter and of the direction it moves in: sums of squares of a part of them, or norms.
struct UpdateSizes {
  double parameter = 0;
  double direction = 0;
};

constexpr size_t kMostUpdateNumbers = 10;
constexpr size_t kMostUpdateSlots = 3;

struct UpdateFormula {
  size_t slots = 0;  // how many tensors it remembers of each parameter
  // One update of values in memory, with the gradient multiplied by `scale` first; for processors
  // with AVX2 and FMA. Null: it has plain steps only.
  void (*fast)(const UpdateSpan& span, float scale) = nullptr;
  // The same with LibTorch's operators: the truth. The slots become new tensors.
  void (*plain)(const at::Tensor& parameter, const at::Tensor& gradient,
                std::span<at::Tensor> slots, std::span<const double> numbers) = nullptr;
  // For one whose steps depend on norms of whole parameters, a pass before `fast`, over all
  // parameters: sums of squares; slots may move already. Then `adapt`, with the norms of each.
  UpdateSizes (*measure)(const UpdateSpan& span, float scale) = nullptr;
  void (*adapt)(UpdateRule& rule, const UpdateSizes& norms) = nullptr;
};

struct UpdateRule {
  const UpdateFormula* formula = nullptr;
  double gradient_factor = 1;  // -1 climbs instead of descending
  std::array<double, kMostUpdateNumbers> numbers = {};
};

// A parameter's values with all that belongs to them; all have `size` values in the same order.
struct UpdateSpan {
  int64_t size = 0;
  float* parameter = nullptr;
  const float* gradient = nullptr;  // null: the parameter stays, and is only averaged
  // Gradients of replicas, added to the first one by ShardTree; values from `more_begin` on.
  const float* const* more_gradients = nullptr;
  int more_count = 0;
  int64_t more_begin = 0;
  std::array<float*, kMostUpdateSlots> slots = {};
  float* average = nullptr;  // average = average_keep * average + average_take * parameter; or null
  float average_keep = 0;
  float average_take = 0;
  UpdateRule rule;
};

// `Formula` has `kSlots`, `Numbers<N>`, which holds nothing but numbers of type N, and
// `moved(parameter, gradient, slots, numbers)`. Made in a file <name>_avx2.cpp of its own by
// `template void move_span<Formula>(const UpdateSpan&, float);`, see lane_values_avx2.h.
template <class Formula>
void move_span(const UpdateSpan& span, float scale);

// See tensor_values.h.
template <class Formula>
void move_tensor(const at::Tensor& parameter, const at::Tensor& gradient,
                 std::span<at::Tensor> slots, std::span<const double> numbers);

// For a `Formula` that also has `measured(parameter, gradient, slots, numbers)`, the values whose
// norm counts, and `adapt(numbers, norms)`. Made in the same file as its `move_span`.
template <class Formula>
UpdateSizes measure_span(const UpdateSpan& span, float scale);

template <class Formula>
inline const UpdateFormula kUpdateFormula = {Formula::kSlots, &move_span<Formula>,
                                             &move_tensor<Formula>};

template <class Formula>
void adapt_rule(UpdateRule& rule, const UpdateSizes& norms) {
  typename Formula::template Numbers<double> numbers;
  std::memcpy(&numbers, rule.numbers.data(), sizeof(numbers));
  Formula::adapt(numbers, norms);
  std::memcpy(rule.numbers.data(), &numbers, sizeof(numbers));
}

// Of two passes; its plain step is the optimizer's own `update`.
template <class Formula>
inline const UpdateFormula kMeasuredFormula = {Formula::kSlots, &move_span<Formula>, nullptr,
                                               &measure_span<Formula>, &adapt_rule<Formula>};

template <class Formula>
[[nodiscard]] UpdateRule update_rule(const typename Formula::template Numbers<double>& numbers) {
  UpdateRule rule;
  static_assert(sizeof(numbers) <= sizeof(rule.numbers));
  std::memcpy(rule.numbers.data(), &numbers, sizeof(numbers));
  if constexpr (requires { &Formula::adapt; })
    rule.formula = &kMeasuredFormula<Formula>;
  else
    rule.formula = &kUpdateFormula<Formula>;
  return rule;
}

}  // namespace hearth
