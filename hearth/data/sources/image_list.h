// Image files that a table names, with labels and numbers beside them.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct ImageListOptions {
  std::string file = {};                  // must be given
  std::string folder = {};                // that of the file, when empty
  std::string path = {};                  // the first column, when empty
  std::vector<std::string> labels = {};   // the other columns, when empty
  std::vector<std::string> numbers = {};  // columns
  std::vector<std::string> columns = {};  // their names, when the file has none
  std::string classes_from = {};          // another such file
  static const Schema<ImageListOptions>& schema();
};

[[nodiscard]] Choice<Source> image_list(const ImageListOptions& options = {});

}  // namespace hearth::sources
