// The files of a new component, made from the templates of its kind.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hearth::cli {

struct NewFile {
  std::filesystem::path path;
  std::string content;
};

// Where a kind's components live: names a template and a folder of Hearth's own source tree.
struct ComponentHome {
  std::string kind;
  std::string base;    // "SampleOp"
  std::string folder;  // "hearth/data/ops"
};
// From the file that the build writes, one kind per line: its name, its interface and that one's
// header, its folders.
[[nodiscard]] std::vector<ComponentHome> component_homes(const std::filesystem::path& kinds_file);
// ConfigError with the nearest kind.
[[nodiscard]] const ComponentHome& component_home(const std::vector<ComponentHome>& homes,
                                                  const std::string& kind);

// Header, source, test and, where the kind has one, the case in `folder`. The include of the header
// is written from the root of Hearth's tree when the folder lies in one. ConfigError for a name
// that is not a good one.
[[nodiscard]] std::vector<NewFile> component_files(const ComponentHome& home,
                                                   const std::string& name,
                                                   const std::filesystem::path& folder,
                                                   const std::filesystem::path& templates);

// Writes all of the files or none: DataError names the one that exists already.
void write_new_files(const std::vector<NewFile>& files);

}  // namespace hearth::cli
