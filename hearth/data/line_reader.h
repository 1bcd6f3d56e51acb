// The lines of a file of any size, one after another.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "hearth/data/seekable_file.h"

namespace hearth {

struct FileLine {
  std::string_view text;  // without its end
  uint64_t offset = 0;
  uint64_t number = 0;  // from 1
};

// Without the byte order mark that some programs begin a file with.
// Holds one line at most, and no more than a part of the file beside it. DataError for a line
// beyond 256 MiB.
void for_each_line(const SeekableFile& file, const std::function<void(const FileLine&)>& visit);

}  // namespace hearth
