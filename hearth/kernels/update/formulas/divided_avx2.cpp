// The loops of divided.h for processors with AVX2 and FMA.
#include "hearth/kernels/update/formulas/divided.h"

#include "hearth/kernels/update/lane_values_avx2.h"

namespace hearth {

template void move_span<formulas::Adagrad>(const UpdateSpan&, float);
template void move_span<formulas::Adadelta>(const UpdateSpan&, float);
template void move_span<formulas::Rmsprop<false, false>>(const UpdateSpan&, float);
template void move_span<formulas::Rmsprop<true, false>>(const UpdateSpan&, float);
template void move_span<formulas::Rmsprop<true, true>>(const UpdateSpan&, float);

}  // namespace hearth
