// A picture of any size and colour, brought into the form of the training data's pictures.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "hearth/core/spec.h"

namespace hearth {

struct PictureValues {
  std::vector<double> values;  // as many as one sample of the key has, in its range
  std::vector<std::string> notes;
};

// Whether a file for this key is read as a picture: it is one, or is named as one where pictures
// are taken.
[[nodiscard]] bool is_read_as_picture(std::string_view bytes, const std::filesystem::path& file,
                                      const Spec& spec);

// `bytes` are a PNG, JPEG, WebP or BMP. What is transparent shows the training data's background,
// or white when that is not known; the notes say so. DataError when the key takes no pictures.
[[nodiscard]] PictureValues picture_values(const std::string& bytes, const std::string& name,
                                           const KeySpec& key, bool is_inverted);

}  // namespace hearth
