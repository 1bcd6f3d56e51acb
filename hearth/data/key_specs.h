// Specs of what sources of files yield, and how their bytes get into cells.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hearth/core/spec.h"
#include "hearth/data/value.h"

namespace hearth {

[[nodiscard]] Spec text_key(std::vector<std::string> vocabulary = {});
[[nodiscard]] Spec encoded_image_key();
[[nodiscard]] Spec class_key(int64_t classes, std::vector<std::string> names = {});

// Whether bytes begin as a file of JPEG, PNG, WebP or BMP does.
[[nodiscard]] bool begins_as_image(std::string_view bytes);

// A value of bytes, of any length.
void write_bytes(const Cell& cell, std::string_view bytes);

}  // namespace hearth
