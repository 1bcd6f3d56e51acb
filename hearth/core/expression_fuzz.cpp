// Fuzzes the reader of expressions: what it takes, it can compute.
#include <string_view>

#include "hearth/base/error.h"
#include "hearth/core/expression.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const auto expression = hearth::Expression::parse({reinterpret_cast<const char*>(data), size});
    (void)expression.value(std::vector<double>(expression.names().size(), 0.5));
  } catch (const hearth::ConfigError&) {
  }
  return 0;
}
