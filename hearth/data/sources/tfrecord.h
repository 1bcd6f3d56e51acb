// TFRecord files of tf.Example.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct TfrecordFieldOptions {
  std::string key = {};
  std::string as = "auto";
  std::vector<int64_t> shape = {};
  int64_t classes = 0;
  static const Schema<TfrecordFieldOptions>& schema();
};

struct TfrecordOptions {
  std::vector<std::string> files = {};  // must be given
  std::map<std::string, TfrecordFieldOptions> fields = {};
  static const Schema<TfrecordOptions>& schema();
};

[[nodiscard]] Choice<Source> tfrecord(const TfrecordOptions& options = {});

}  // namespace hearth::sources
