// Scales a loss so that small gradients survive float16, and takes the scale out again.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "hearth/tensor/state.h"

namespace hearth {

// A step whose gradients are not finite is left out and makes the scale smaller; many steps without
// one make it larger. Nothing of it depends on the device.
class GradientScaler {
 public:
  struct Settings {
    double first = 65536;
    double growth = 2;
    double backoff = 0.5;
    int64_t growth_steps = 2000;  // finite ones in a row before it grows
    double least = 1;             // below it, something else is wrong
  };
  GradientScaler() : GradientScaler(Settings()) {}
  explicit GradientScaler(const Settings& settings) : settings_(settings), scale_(settings.first) {}

  [[nodiscard]] double scale() const { return scale_; }
  [[nodiscard]] int64_t skipped() const { return skipped_; }  // steps left out so far
  [[nodiscard]] at::Tensor scaled(const at::Tensor& loss) const { return loss.mul(scale_); }
  // Divides the gradients of a whole step where they lie, and adapts the scale for the next. False
  // when one is not finite: the step must be left out.
  [[nodiscard]] bool unscale(const std::vector<at::Tensor>& gradients);

  void write(State& state) const;
  void read(const State& state);  // what is not there stays as it is

 private:
  Settings settings_;
  double scale_;
  int64_t finite_steps_ = 0;  // since the scale changed
  int64_t skipped_ = 0;
};

}  // namespace hearth
