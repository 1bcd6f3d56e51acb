// For tests: notes every operator that reads values on the host while a step runs on another
// device.
#pragma once

#include <ATen/record_function.h>

#include <string>
#include <vector>

namespace hearth {

// Looks at LibTorch's operators in all threads while it lives; there can be one at a time. LibTorch
// itself lets some operators mix devices on `meta`, which on a GPU it would not.
class DeviceWatch {
 public:
  DeviceWatch();
  ~DeviceWatch();
  DeviceWatch(const DeviceWatch&) = delete;
  DeviceWatch& operator=(const DeviceWatch&) = delete;

  // "aten::mm reads a tensor on the CPU"; empty when all went well.
  [[nodiscard]] static std::vector<std::string> faults();

 private:
  at::CallbackHandle handle_;
};

}  // namespace hearth
