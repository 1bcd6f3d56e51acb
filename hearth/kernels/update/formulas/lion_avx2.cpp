// The loops of lion.h for processors with AVX2 and FMA.
#include "hearth/kernels/update/formulas/lion.h"

#include "hearth/kernels/update/lane_values_avx2.h"

namespace hearth {

template void move_span<formulas::Lion>(const UpdateSpan&, float);

}  // namespace hearth
