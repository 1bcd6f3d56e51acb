// What an update over many parameters does beside formulas: averages alone, and norms.
#include "hearth/kernels/update/multi_tensor_avx2.h"

#include "hearth/kernels/update/lane_values_avx2.h"

namespace hearth {
namespace {

struct StayingLanes {
  template <class Lanes>
  [[nodiscard]] __m256 moved(__m256 parameter, int64_t, const Lanes&) const {
    return parameter;
  }
};

template <class Gradient>
double squares_of(const UpdateSpan& span) {
  const Gradient gradient(span);
  LaneSquares squares;
  for_each_group(span.size,
                 [&](int64_t i, const auto& lanes) { squares.add(gradient.at(i, lanes)); });
  return squares.sum();
}

}  // namespace

void average_span_avx2(const UpdateSpan& span) { run_moving(span, StayingLanes()); }

double gradient_squares_avx2(const UpdateSpan& span) {
  if (span.gradient == nullptr) return 0;
  return span.more_count == 0 ? squares_of<OneGradient>(span) : squares_of<SummedGradient>(span);
}

}  // namespace hearth
