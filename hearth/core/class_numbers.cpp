// Whether equal numbers mean the same class in two sets of data.
#include "hearth/core/class_numbers.h"

#include <algorithm>

#include "hearth/base/text.h"

namespace hearth {

std::optional<std::string> class_difference(const PlacedSpec& first, const PlacedSpec& second) {
  const std::vector<std::string>& here = first.spec.class_names;
  const std::vector<std::string>& there = second.spec.class_names;
  if (here.empty() || there.empty() || here == there) return std::nullopt;
  const auto different = std::mismatch(here.begin(), here.end(), there.begin(), there.end());
  const auto text = [](const auto& at, const std::vector<std::string>& names) {
    return at == names.end() ? std::string("missing") : quote(*at);
  };
  return "class " + std::to_string(different.first - here.begin()) + " is " +
         text(different.first, here) + " in " + first.place + ", but " +
         text(different.second, there) + " in " + second.place;
}

}  // namespace hearth
