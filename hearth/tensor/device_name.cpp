// Devices by their names in a config.
#include "hearth/tensor/device_name.h"

#include <ATen/Context.h>

#include "hearth/base/error.h"

namespace hearth {
namespace {

[[noreturn]] void throw_unknown_device(const std::string& text) {
  throw ConfigError("there is no device '" + text + "'. Use auto, cpu, cuda or cuda:1.");
}

}  // namespace

at::Device device_from(const std::string& text) {
  if (text == "auto")
    return at::globalContext().hasCUDA() ? at::Device(at::kCUDA) : at::Device(at::kCPU);
  try {
    const at::Device device(text);
    const bool is_known = device.is_cuda() || (device.is_cpu() && device.index() <= 0);
    if (!is_known) throw_unknown_device(text);
    if (device.is_cuda() && !at::globalContext().hasCUDA())
      throw ConfigError("'" + text +
                        "' was asked for, but LibTorch has no CUDA here. Use cpu or auto.");
    return device;
  } catch (const c10::Error&) {
    throw_unknown_device(text);
  }
}

}  // namespace hearth
