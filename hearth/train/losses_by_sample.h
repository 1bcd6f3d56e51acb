// The losses of a batch sample by sample.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hearth/train/batch_runner.h"

namespace hearth {

// For each sample of a batch that the network has run, whose values these are: what its losses are
// when it stands alone behind the models. Loss ops run again on its row; models do not, so that
// what depends on the batch, such as a batch norm, is as it was. A loss that cannot be had of one
// sample is left out, and so is one of which something is not there yet.
[[nodiscard]] std::vector<std::map<std::string, double>> losses_by_sample(
    const CompiledPlan& compiled, const std::vector<at::Tensor>& values, int64_t samples,
    const Moment& moment);

}  // namespace hearth
