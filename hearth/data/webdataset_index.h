// The samples of a tar: files of one stem that follow each other, such as a/7.jpg and a/7.cls.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hearth/data/offset_index.h"
#include "hearth/data/seekable_file.h"

namespace hearth {

// What becomes a key: any of these endings.
struct WebdatasetPart {
  std::string key;
  std::vector<std::string> endings;  // without the dot
  bool is_class = false;
};

// A row for each sample: for each part the offset and the length of its file, both 0 where there
// is none. `texts` hold the stems of the samples, and then for each part of classes those of its
// samples. DataError for two files of one stem and part.
[[nodiscard]] OffsetIndex webdataset_index(const SeekableFile& file,
                                           const std::vector<WebdatasetPart>& parts);

}  // namespace hearth
