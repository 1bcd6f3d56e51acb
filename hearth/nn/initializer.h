// First values of a parameter, as a config chooses them. For people who write one.
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include "hearth/config/choice.h"

namespace hearth {

class Initializer {
 public:
  virtual ~Initializer() = default;
  // Why it cannot fill a parameter of this shape; empty when it can.
  [[nodiscard]] virtual std::string misfit(at::IntArrayRef shape) const {
    (void)shape;
    return "";
  }
  // Fills it: float32 in memory, in the ordinary order, under no-grad. Random numbers come from the
  // generator alone, which is the parameter's own.
  virtual void fill(at::Tensor& values, const at::Generator& generator) const = 0;
};

}  // namespace hearth
