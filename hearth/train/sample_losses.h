// The loss of each sample of a batch, as the traces that rank or follow samples read it: one key
// with it, or the keys of scores and labels.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "hearth/config/schema.h"
#include "hearth/core/spec.h"

namespace hearth {

// The option `in` of such traces.
template <class O>
[[nodiscard]] Schema<O> sample_losses_schema() {
  return Schema<O>()
      .field(&O::in, "in",
             "Keys of the scores and of the labels, whose cross entropy is the loss; or one key "
             "with a loss for each sample.")
      .check("in must name one key, a loss for each sample, or two: scores and labels.",
             [](const O& options) { return options.in.size() == 1 || options.in.size() == 2; });
}

// GraphError when the keys do not fit.
void check_sample_losses(const std::vector<std::string>& in, const std::vector<Spec>& inputs);

struct SampleLosses {
  at::Tensor losses;     // [rows]
  at::Tensor labels;     // of classes by number; else undefined, as is what comes of them
  at::Tensor predicted;  // classes
};
[[nodiscard]] SampleLosses sample_losses(std::span<const at::Tensor> values);

}  // namespace hearth
