// The loops of adam.h for processors with AVX2 and FMA.
#include "hearth/kernels/update/formulas/adam.h"

#include "hearth/kernels/update/lane_values_avx2.h"

namespace hearth {

template void move_span<formulas::Adam<false>>(const UpdateSpan&, float);
template void move_span<formulas::Adam<true>>(const UpdateSpan&, float);
template void move_span<formulas::UndividedAdam>(const UpdateSpan&, float);
template void move_span<formulas::Nadam>(const UpdateSpan&, float);
template void move_span<formulas::Adamax>(const UpdateSpan&, float);

}  // namespace hearth
