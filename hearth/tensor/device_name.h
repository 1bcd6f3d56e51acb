// Devices by their names in a config.
#pragma once

#include <string>

#include <c10/core/Device.h>

namespace hearth {

// `auto` is CUDA when LibTorch has it. ConfigError for a device that is not there.
[[nodiscard]] at::Device device_from(const std::string& text);

}  // namespace hearth
