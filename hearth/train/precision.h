// The precision of an experiment: which kernels it means, and what is to be said of it.
#pragma once

#include <c10/core/Device.h>

#include <string>

#include "hearth/experiment/options.h"
#include "hearth/kernels/kernels.h"

namespace hearth {

// Throws ConfigError where the device cannot compute in the precision that was asked for.
[[nodiscard]] Kernels kernels_of(const ExperimentOptions& options, at::Device device);
// What it does, for who looks at the experiment; empty for float32.
[[nodiscard]] std::string precision_note(const ExperimentOptions& options);
// Why it will not be faster than float32; empty where it is.
[[nodiscard]] std::string slow_precision(const ExperimentOptions& options, at::Device device);

}  // namespace hearth
