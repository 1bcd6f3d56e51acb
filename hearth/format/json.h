// Strict JSON: one meaning a file, within limits.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace hearth {

struct JsonLimits {
  uint64_t bytes = 64ULL << 20;
  int depth = 64;
  uint64_t values = 16'000'000;  // a value takes far more memory than the two bytes it may have
};

// DataError names `what` and the byte for duplicate keys, too much depth, invalid UTF-8, bytes
// after the value and everything else that is not JSON.
[[nodiscard]] nlohmann::json parse_json(std::string_view text, const std::string& what,
                                        const JsonLimits& limits = {});

}  // namespace hearth
