// What commands that pack samples say while they do, and afterwards.
#pragma once

#include <functional>
#include <string>

#include "hearth/base/clock.h"
#include "hearth/pipeline/packing.h"

namespace hearth::cli {

// "packing  640 of 1,440 samples"
[[nodiscard]] std::function<void(int64_t done, int64_t all)> pack_progress(const std::string& what);
void print_packed(const PackReport& report, const std::string& folder, bool is_json,
                  double seconds);

}  // namespace hearth::cli
