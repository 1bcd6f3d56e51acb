// Sources whose samples are rows of arrays.
#include "hearth/data/array/array_source.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

std::shared_ptr<const OpenedFile> ArrayFiles::open(const std::string& path) {
  auto file = std::make_shared<OpenedFile>();
  file->open(path);
  files.push_back(file);
  return file;
}

ArrayRows::ReadAt read_from(std::shared_ptr<const OpenedFile> file, uint64_t begin) {
  return [file = std::move(file), begin](uint64_t offset, std::span<std::byte> into) {
    read_at(file->file, begin + offset, into, file->path);
  };
}

void check_array_names(const std::vector<std::string>& wanted,
                       const std::vector<std::string>& known, const std::string& option,
                       const std::string& file) {
  for (const std::string& name : wanted)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw ConfigError(option + ": " + file + " has no array " + quote(name) + "." +
                        did_you_mean(name, known));
}

}  // namespace hearth
