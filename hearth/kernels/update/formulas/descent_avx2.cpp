// The loops of descent.h for processors with AVX2 and FMA.
#include "hearth/kernels/update/formulas/descent.h"

#include "hearth/kernels/update/lane_values_avx2.h"

namespace hearth {

template void move_span<formulas::Descent>(const UpdateSpan&, float);
template void move_span<formulas::Momentum<false>>(const UpdateSpan&, float);
template void move_span<formulas::Momentum<true>>(const UpdateSpan&, float);

}  // namespace hearth
