// How an op learns from the training data what its config leaves open: means, medians, borders.
#pragma once

#include <span>

#include "hearth/config/node.h"
#include "hearth/data/value.h"

namespace hearth {

class OpFitting {
 public:
  virtual ~OpFitting() = default;
  // What the op reads of one sample after the other, in their order.
  virtual void add(std::span<const View> inputs) = 0;
  // After all samples; false when it must see them all again. DataError when they do not do.
  [[nodiscard]] virtual bool finish() { return true; }
  // What was left open, by the names of the op's options.
  [[nodiscard]] virtual Node options() const = 0;
};

}  // namespace hearth
