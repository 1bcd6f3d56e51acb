// Rows of the arrays in a NumPy archive.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct NpzOptions {
  std::string file = {};  // must be given
  std::vector<std::string> arrays = {};
  std::map<std::string, int64_t> classes = {};
  std::vector<std::string> images = {};
  int64_t megabytes = 2048;
  static const Schema<NpzOptions>& schema();
};

[[nodiscard]] Choice<Source> npz(const NpzOptions& options = {});

}  // namespace hearth::sources
