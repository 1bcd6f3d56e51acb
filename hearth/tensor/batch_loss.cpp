// Whether a key holds a loss.
#include "hearth/tensor/batch_loss.h"

#include "hearth/base/error.h"

namespace hearth {

void check_batch_loss(const KeySpec& loss) {
  const Spec& spec = loss.spec;
  if (spec.is_per_batch && spec.shape.empty() && is_floating(spec.dtype)) return;
  throw GraphError("needs one float for the whole batch in '" + loss.key + "', but it is " +
                   spec.text() + ". Name the key a loss writes.");
}

}  // namespace hearth
