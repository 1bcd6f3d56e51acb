// Tar files whose files of one stem are a sample.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct WebdatasetOptions {
  std::vector<std::string> files = {};  // must be given
  std::vector<std::string> image = {"jpg", "jpeg", "png", "webp", "bmp"};
  std::vector<std::string> text = {"txt", "json"};
  std::vector<std::string> classes = {"cls"};
  static const Schema<WebdatasetOptions>& schema();
};

[[nodiscard]] Choice<Source> webdataset(const WebdatasetOptions& options = {});

}  // namespace hearth::sources
