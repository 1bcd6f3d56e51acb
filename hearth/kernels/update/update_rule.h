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
  // Gradients of replicas, added to the first one in this order; values from `more_begin` on.
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

template <class Formula>
inline const UpdateFormula kUpdateFormula = {Formula::kSlots, &move_span<Formula>,
                                             &move_tensor<Formula>};

template <class Formula>
[[nodiscard]] UpdateRule update_rule(const typename Formula::template Numbers<double>& numbers) {
  UpdateRule rule;
  static_assert(sizeof(numbers) <= sizeof(rule.numbers));
  std::memcpy(rule.numbers.data(), &numbers, sizeof(numbers));
  rule.formula = &kUpdateFormula<Formula>;
  return rule;
}

}  // namespace hearth
