// A metric gathers batches and gives one number. Two halves merged equal the whole.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "hearth/core/spec.h"

namespace hearth {

class Metric {
 public:
  virtual ~Metric() = default;
  [[nodiscard]] virtual std::vector<std::string> reads() const = 0;
  // The name its value is reported under, without the mode: "accuracy".
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual bool is_better_when_higher() const = 0;
  // GraphError when the keys do not fit.
  virtual void check(const std::vector<Spec>& inputs) const = 0;
  virtual void reset() = 0;
  // Once per batch, on the batch's device: it must not wait for values. See batch_sum.h.
  virtual void update(std::span<const at::Tensor> inputs) = 0;
  virtual void merge(const Metric& other) = 0;
  // Not a number when nothing was gathered.
  [[nodiscard]] virtual double value() const = 0;
  [[nodiscard]] virtual Json state() const = 0;
  virtual void restore(const Json& state) = 0;
};

}  // namespace hearth
