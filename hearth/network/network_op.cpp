// An op on one batch, on the device.
#include "hearth/network/network_op.h"

#include "hearth/network/model.h"

namespace hearth {

std::vector<OwnModel> NetworkOp::own_models() const { return {}; }

}  // namespace hearth
