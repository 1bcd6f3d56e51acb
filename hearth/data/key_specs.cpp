// Specs of what sources of files yield.
#include "hearth/data/key_specs.h"

#include <cstring>

namespace hearth {

Spec text_key(std::vector<std::string> vocabulary) {
  Spec spec{.dtype = DType::kUint8, .shape = {kAnyLength}};
  spec.class_names = std::move(vocabulary);
  spec.role = Role::kText;
  return spec;
}

Spec encoded_image_key() {
  Spec spec{.dtype = DType::kUint8, .shape = {kAnyLength}};
  spec.role = Role::kEncodedImage;
  return spec;
}

Spec class_key(int64_t classes, std::vector<std::string> names) {
  Spec spec{.dtype = DType::kInt64, .classes = classes};
  spec.class_names = std::move(names);
  spec.role = Role::kClass;
  return spec;
}

bool begins_as_image(std::string_view bytes) {
  return bytes.starts_with("\xFF\xD8\xFF") || bytes.starts_with("\x89PNG\r\n") ||
         (bytes.starts_with("RIFF") && bytes.size() > 12 && bytes.substr(8).starts_with("WEBP")) ||
         (bytes.starts_with("BM") && bytes.size() > 54);
}

void write_bytes(const Cell& cell, std::string_view bytes) {
  const View room = cell.take({static_cast<int64_t>(bytes.size())});
  if (!bytes.empty()) std::memcpy(room.data, bytes.data(), bytes.size());
}

}  // namespace hearth
