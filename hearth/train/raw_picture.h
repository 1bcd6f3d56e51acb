// A picture of any size and colour, brought into the form of the training data's pictures.
#pragma once

#include <string>

#include "hearth/train/raw_source.h"

namespace hearth {

// `bytes` are a PNG. What is transparent shows the training data's background, or white when that
// is not known; the notes say so. DataError when the key takes no pictures.
[[nodiscard]] RawInput picture_input(const std::string& bytes, const std::string& name,
                                     const KeySpec& key, bool is_inverted);

}  // namespace hearth
