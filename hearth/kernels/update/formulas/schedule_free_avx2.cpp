// The loops of schedule_free.h for processors with AVX2 and FMA.
#include "hearth/kernels/update/formulas/schedule_free.h"

#include "hearth/kernels/update/lane_values_avx2.h"

namespace hearth {

template void move_span<formulas::ScheduleFreeDescent>(const UpdateSpan&, float);
template void move_span<formulas::ScheduleFreeAdam>(const UpdateSpan&, float);

}  // namespace hearth
