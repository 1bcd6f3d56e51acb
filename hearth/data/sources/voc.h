// Images with boxes in the XML files of Pascal VOC.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct VocOptions {
  std::string images = {};                // must be given
  std::string annotations = {};           // must be given
  std::string list = {};                  // all annotations, when empty
  std::vector<std::string> classes = {};  // all that occur, when empty
  bool difficult = true;
  static const Schema<VocOptions>& schema();
};

[[nodiscard]] Choice<Source> voc(const VocOptions& options = {});

}  // namespace hearth::sources
