// Samples that cannot be read, and pictures among them that cannot be decoded.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hearth/data/source.h"

namespace hearth {

// Why, by their place in `samples`.
[[nodiscard]] std::map<size_t, std::string> corrupt_samples(const Source& source,
                                                            const std::vector<int64_t>& samples);

}  // namespace hearth
