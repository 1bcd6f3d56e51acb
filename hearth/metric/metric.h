// A metric gathers batches and gives a number, or several and a table. Two halves merged equal the
// whole.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "hearth/config/time.h"
#include "hearth/core/spec.h"
#include "hearth/metric/measured.h"
#include "hearth/tensor/state.h"

namespace hearth {

class Metric {
 public:
  virtual ~Metric() = default;
  [[nodiscard]] virtual std::vector<std::string> reads() const = 0;
  // The name it is reported under, without the mode: "accuracy".
  [[nodiscard]] virtual std::string name() const = 0;
  // Of the headline and of every other number.
  [[nodiscard]] virtual bool is_better_when_higher() const = 0;
  // What it measures is known before training: whether there is a headline, and the names of
  // further numbers, without its own: "macro".
  [[nodiscard]] virtual bool has_headline() const { return true; }
  [[nodiscard]] virtual std::vector<std::string> numbers() const { return {}; }
  // Whether its numbers may be no numbers although all is well: a share of nothing, a correlation
  // with what never changes. Training does not stop for such a one.
  [[nodiscard]] virtual bool may_be_undefined() const { return false; }
  // GraphError when the keys do not fit. Before the first batch, and again when specs may differ:
  // the place to take the number and the names of classes from them.
  virtual void check(const std::vector<Spec>& inputs) = 0;
  virtual void reset() = 0;
  // Once per batch, on the batch's device: it must not wait for values. See batch_sum.h.
  virtual void update(std::span<const at::Tensor> inputs, const Moment& moment) = 0;
  // `other` is of the same options and gathered what came after.
  virtual void merge(const Metric& other) = 0;
  // A metric of one number returns just that.
  [[nodiscard]] virtual Measured measured() const = 0;
  // Numbers of other metrics that it is made of, by the names these are reported under, and what it
  // comes to with all of them. Others are made of batches alone.
  [[nodiscard]] virtual std::vector<std::string> needs() const { return {}; }
  [[nodiscard]] virtual Measured measured_from(const std::map<std::string, double>&) const {
    return measured();
  }
  // What it gathered, to the last bit.
  [[nodiscard]] virtual State state() const = 0;
  virtual void restore(const State& state) = 0;
};

// Names its numbers are reported under, without the mode: "f1", "f1/macro".
[[nodiscard]] std::vector<std::string> reported_names(const Metric& metric);

}  // namespace hearth
