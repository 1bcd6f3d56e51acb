// What people say of a network: 25Gb, 100Mbit/s, 50us.
#pragma once

#include <optional>
#include <string_view>

namespace hearth {

// Bytes a second. Kb, Mb, Gb and Tb (also with "it" and "/s") are bits, KB, MB, GB and TB bytes.
// Nothing for a text without a unit, or that is no finite number above 0.
[[nodiscard]] std::optional<double> read_link_rate(std::string_view text);
// Seconds, from ns, us, ms or s.
[[nodiscard]] std::optional<double> read_short_time(std::string_view text);

}  // namespace hearth
