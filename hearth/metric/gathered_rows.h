// Rows of several columns, gathered from batches and kept as they are: the state of metrics that
// need all samples at once.
#pragma once

#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "hearth/tensor/state.h"

namespace hearth {

class GatheredRows {
 public:
  // Columns are [N, ...], as many in every batch; they are copied, and stay on their device.
  void add(const std::vector<at::Tensor>& columns);
  void add(const GatheredRows& other);
  // On the host, in the order of their values: whatever order they came in, it is the same. Rows
  // that are shorter in one batch than in another have kIgnoredLabel behind, or zeros if they are
  // no whole numbers. Nothing before the first batch.
  [[nodiscard]] std::vector<at::Tensor> all() const;
  void save(State& state, const std::string& name) const;
  void restore(const State& state, const std::string& name);

 private:
  [[nodiscard]] std::vector<at::Tensor> joined() const;
  std::vector<std::vector<at::Tensor>> columns_;  // by column, the batches'
};

}  // namespace hearth
