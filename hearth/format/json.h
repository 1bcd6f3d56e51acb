// Strict JSON: one meaning per file, within limits.
#pragma once

#include <cstdint>
#include <functional>
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

// For files that do not fit into memory as values: `visit` gets the value of each key of the
// outermost object, and a list's items one by one, as they come; none is kept. Faults as above,
// and when the text is no object; what was visited by then, was.
using JsonVisit = std::function<void(const std::string& key, nlohmann::json& value)>;
void visit_json(std::string_view text, const std::string& what, const JsonVisit& visit,
                const JsonLimits& limits);

// One line of plain ASCII that any reader takes: numbers that are not finite are null, bytes that
// are not UTF-8 are replaced.
template <class Json>
[[nodiscard]] std::string json_line(const Json& json) {
  constexpr bool kIsAscii = true;
  return json.dump(-1, ' ', kIsAscii, Json::error_handler_t::replace) + "\n";
}

}  // namespace hearth
