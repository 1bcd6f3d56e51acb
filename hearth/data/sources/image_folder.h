// Image files in a folder for each class.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct ImageFolderOptions {
  std::string folder = {};                // must be given
  std::vector<std::string> classes = {};  // all folders, when empty
  static const Schema<ImageFolderOptions>& schema();
};

[[nodiscard]] Choice<Source> image_folder(ImageFolderOptions options = {});

}  // namespace hearth::sources
