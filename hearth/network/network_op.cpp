// An op on one batch, on the device.
#include "hearth/network/network_op.h"

#include "hearth/base/error.h"
#include "hearth/network/found_gradients.h"
#include "hearth/network/model.h"

namespace hearth {

std::vector<OwnModel> NetworkOp::own_models() const { return {}; }

FoundGradients NetworkOp::take_found(Others) {
  throw InternalError("an op that does not gather was asked for what it found.");
}

void NetworkOp::step_by(StepContext&, Others, const ArrivedGradients&) {
  throw InternalError("an op that does not gather was given gradients.");
}

}  // namespace hearth
