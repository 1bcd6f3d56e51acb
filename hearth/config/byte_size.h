// An amount of memory with its unit: 2GB, 512MiB.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hearth {

struct ByteSize {
  int64_t bytes = 0;

  [[nodiscard]] bool operator==(const ByteSize&) const = default;
  [[nodiscard]] std::string text() const;  // "2GB", in the largest unit that leaves whole numbers
  // Nothing for a text that is no amount, or has no unit. kB, MB, GB and TB count by 1000, KiB,
  // MiB, GiB and TiB by 1024.
  [[nodiscard]] static std::optional<ByteSize> from(std::string_view text);
};

}  // namespace hearth
