// Amounts of memory from text and to text.
#include "hearth/config/byte_size.h"

#include <array>
#include <cmath>
#include <utility>

#include "hearth/base/text.h"

namespace hearth {
namespace {

// The largest first; "B" ends all others.
constexpr std::array<std::pair<std::string_view, int64_t>, 10> kByteUnits = {
    {{"TiB", int64_t{1} << 40},
     {"TB", 1'000'000'000'000},
     {"GiB", int64_t{1} << 30},
     {"GB", 1'000'000'000},
     {"MiB", int64_t{1} << 20},
     {"MB", 1'000'000},
     {"KiB", int64_t{1} << 10},
     {"kB", 1'000},
     {"KB", 1'000},
     {"B", 1}}};

}  // namespace

std::string ByteSize::text() const {
  for (const auto& [unit, size] : kByteUnits)
    if (bytes >= size && bytes % size == 0) return std::to_string(bytes / size) + std::string(unit);
  return std::to_string(bytes) + "B";
}

std::optional<ByteSize> ByteSize::from(std::string_view text) {
  constexpr double kMostBytes = 9e18;
  for (const auto& [unit, size] : kByteUnits) {
    if (!text.ends_with(unit)) continue;
    std::string_view number = text.substr(0, text.size() - unit.size());
    if (number.ends_with(' ')) number.remove_suffix(1);
    if (number.empty() || number.find_first_not_of("0123456789.") != std::string_view::npos)
      return std::nullopt;
    const std::optional<double> count = read_number(std::string(number));
    if (!count) return std::nullopt;
    const double bytes = *count * static_cast<double>(size);
    if (!(bytes >= 1 && bytes <= kMostBytes)) return std::nullopt;
    return ByteSize{static_cast<int64_t>(std::llround(bytes))};
  }
  return std::nullopt;
}

}  // namespace hearth
