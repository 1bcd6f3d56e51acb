// Rows of NumPy's array files, one file for each key.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct NpyOptions {
  std::map<std::string, std::string> files = {};  // must be given
  std::map<std::string, int64_t> classes = {};
  std::vector<std::string> images = {};
  static const Schema<NpyOptions>& schema();
};

[[nodiscard]] Choice<Source> npy(const NpyOptions& options = {});

}  // namespace hearth::sources
