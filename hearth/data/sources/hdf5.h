// Rows of the datasets in an HDF5 file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct Hdf5Options {
  std::string file = {};                             // must be given
  std::map<std::string, std::string> datasets = {};  // by key
  std::map<std::string, int64_t> classes = {};
  std::vector<std::string> images = {};
  int64_t megabytes = 2048;
  static const Schema<Hdf5Options>& schema();
};

[[nodiscard]] Choice<Source> hdf5(const Hdf5Options& options = {});

}  // namespace hearth::sources
