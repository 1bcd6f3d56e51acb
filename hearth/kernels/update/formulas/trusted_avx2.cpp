// The loops of trusted.h for processors with AVX2 and FMA.
#include "hearth/kernels/update/formulas/trusted.h"

#include "hearth/kernels/update/lane_values_avx2.h"

namespace hearth {

template void move_span<formulas::Lamb>(const UpdateSpan&, float);
template void move_span<formulas::Lars>(const UpdateSpan&, float);
template UpdateSizes measure_span<formulas::Lamb>(const UpdateSpan&, float);
template UpdateSizes measure_span<formulas::Lars>(const UpdateSpan&, float);

}  // namespace hearth
