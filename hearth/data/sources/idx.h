// Images and labels from IDX files, the format of MNIST and its relatives.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct IdxOptions {
  std::string images = {};
  std::string labels = {};
  int64_t classes = 10;
  std::vector<std::string> class_names = {};
  static const Schema<IdxOptions>& schema();
};

[[nodiscard]] Choice<Source> idx(IdxOptions options = {});

}  // namespace hearth::sources
