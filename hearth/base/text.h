// Text for people: the nearest name, lists, numbers with units.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

// The candidate closest to `name`, when it is close enough to be a likely misspelling.
[[nodiscard]] std::optional<std::string> nearest(std::string_view name,
                                                 const std::vector<std::string>& candidates);

// " Did you mean 'x'?" or, with nothing near, " Known: a, b, c." (or nothing without candidates).
[[nodiscard]] std::string did_you_mean(std::string_view name,
                                       const std::vector<std::string>& candidates);

[[nodiscard]] std::string join(const std::vector<std::string>& parts, std::string_view separator);
[[nodiscard]] std::vector<std::string> split(std::string_view text, char separator);
[[nodiscard]] std::string_view trim(std::string_view text);
[[nodiscard]] std::string quote(std::string_view text);  // 'text', with control bytes escaped
// As a shell takes it for one word: in quotes when it has characters that mean something there.
[[nodiscard]] std::string shell_word(std::string_view text);

[[nodiscard]] std::string human_bytes(uint64_t bytes);    // "1.5 MiB"
[[nodiscard]] std::string human_count(uint64_t count);    // "1,234,567"
[[nodiscard]] std::string human_seconds(double seconds);  // "3.2s", "4m 05s", "2h 10m"
[[nodiscard]] std::string shortest_number(
    double value);  // shortest text that reads back the same bits
[[nodiscard]] std::string rounded_number(double value, int digits);  // "0.9876", "nan", "-inf"

// Strict readers: the whole text must be the number; nothing otherwise.
[[nodiscard]] std::optional<int64_t> read_integer(std::string_view text);
[[nodiscard]] std::optional<double> read_number(std::string_view text);

}  // namespace hearth
