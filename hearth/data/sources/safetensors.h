// Rows of the tensors in a safetensors file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct SafetensorsOptions {
  std::string file = {};  // must be given
  std::vector<std::string> tensors = {};
  std::map<std::string, int64_t> classes = {};
  std::vector<std::string> images = {};
  static const Schema<SafetensorsOptions>& schema();
};

[[nodiscard]] Choice<Source> safetensors(const SafetensorsOptions& options = {});

}  // namespace hearth::sources
