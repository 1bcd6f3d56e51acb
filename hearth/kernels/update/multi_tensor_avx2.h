// The inner loops of an update over many parameters, for processors with AVX2 and FMA.
#pragma once

#include <cstdint>

namespace hearth {

enum class UpdateFormula : uint8_t {
  kDescent,   // along the gradient
  kMomentum,  // along the first slot, a running mix of gradients
  kNesterov,  // along gradient + keep * first slot
  kAdam,      // along the first slot, divided by the root of the second
};

// The numbers of one parameter's update.
struct UpdateRule {
  UpdateFormula formula = UpdateFormula::kDescent;
  float lr = 0;            // how far along the direction
  float weight_decay = 0;  // times the parameter, added to the gradient
  float keep = 0;          // first slot = keep * first slot + take * gradient
  float take = 1;
  // Of Adam alone.
  float shrink = 1;       // the parameter is multiplied by it first
  float square_keep = 0;  // second slot = square_keep * second slot + square_take * gradient^2
  float square_take = 1;
  float root_factor = 1;  // the divisor is root_factor * sqrt(second slot) + eps
  float eps = 0;
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
  float* slots[2] = {nullptr, nullptr};
  float* average = nullptr;  // average = average_keep * average + average_take * parameter; or null
  float average_keep = 0;
  float average_take = 0;
  UpdateRule rule;
};

// One update, with the gradient multiplied by `scale` first.
void update_span_avx2(const UpdateSpan& span, float scale);
// Of the gradient, with those of replicas added to it.
[[nodiscard]] double gradient_squares_avx2(const UpdateSpan& span);

}  // namespace hearth
