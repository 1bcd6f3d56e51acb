// A raw value brought into the form of its key: what a source would have given.
#pragma once

#include <string>
#include <vector>

#include "hearth/core/spec.h"
#include "hearth/train/raw_sample.h"

namespace hearth {

struct FilledValue {
  std::vector<int64_t> shape;
  std::string bytes;  // in the key's dtype
};

// DataError names the sample and the key, and says what the key takes. `notes` get what may
// surprise.
[[nodiscard]] FilledValue fill_value(const RawValue& value, const KeySpec& key,
                                     const std::string& name, std::vector<std::string>& notes);

// What a key takes, for people: "an image (uint8 [B, 8, 8, 1])", "text".
[[nodiscard]] std::string takes_text(const Spec& spec);

inline constexpr uint64_t kRawFileLimitBytes = 256ULL << 20;

}  // namespace hearth
