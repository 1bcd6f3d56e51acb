// What lies behind the things in a source's pictures, looked up in some of them.
#pragma once

#include <string>
#include <vector>

#include "hearth/data/source.h"

namespace hearth {

// The colour that most of the borders have in 64 pictures spread over the source, a value for each
// channel; empty when the key is no picture or the borders have no colour in common. DataError when
// a sample cannot be read.
[[nodiscard]] std::vector<double> background_of(const Source& source, const std::string& key);

}  // namespace hearth
