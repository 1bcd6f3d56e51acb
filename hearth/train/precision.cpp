// The precision of an experiment: which kernels it means, and what is to be said of it.
#include "hearth/train/precision.h"

#include "hearth/base/error.h"

namespace hearth {
namespace {

Precision precision_from(const std::string& text) {
  if (text == "bfloat16") return Precision::kBfloat16;
  return text == "float16" ? Precision::kFloat16 : Precision::kFloat32;
}

}  // namespace

Kernels kernels_of(const ExperimentOptions& options, at::Device device) {
  const Precision precision = precision_from(options.precision);
  if (precision == Precision::kFloat16 && device.is_cpu())
    throw ConfigError(
        "the network runs on the processor, which has no float16 arithmetic. Use precision: "
        "bfloat16, which needs no loss scaling either.");
  return (options.kernels == "plain" ? Kernels::kPlain : Kernels::kFast).in(precision);
}

std::string precision_note(const ExperimentOptions& options) {
  if (options.precision == "float32") return "";
  return "precision: " + options.precision + ": the factors of products in linear layers, " +
         "convolutions and attention are rounded to it; sums, parameters and all else are float32.";
}

std::string slow_precision(const ExperimentOptions& options, at::Device device) {
  if (options.precision != "bfloat16" || !device.is_cpu()) return "";
  if (options.kernels == "plain")
    return "LibTorch's kernels multiply the rounded factors in float32: this is slower than "
           "precision: float32. Leave `kernels: plain` out.";
  if (has_bfloat16_unit()) return "";
  return "this processor has no instructions for bfloat16: training gives what it would give "
         "with them, but for the order of sums, and is not faster than with precision: float32.";
}

}  // namespace hearth
