// Finds bundled files where the user says, or beside the library, installed or in a build tree.
#include "hearth/data/bundled_data.h"

#include <dlfcn.h>

#include <cstdlib>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

// The folder of the library that this function was loaded from; empty when it is not known.
std::filesystem::path library_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&bundled_data_folders), &info) == 0) return {};
  std::error_code error;
  const auto file = std::filesystem::canonical(info.dli_fname, error);
  return error ? std::filesystem::path{} : file.parent_path();
}

}  // namespace

std::vector<std::filesystem::path> bundled_data_folders() {
  std::vector<std::filesystem::path> folders;
  if (const char* named = std::getenv("HEARTH_DATA"); named != nullptr && *named != '\0')
    folders.emplace_back(named);
  // Beside lib, or beside the lib that holds a folder for the machine's architecture.
  if (const auto library = library_folder(); !library.empty())
    for (const char* share : {"../share", "../../share"})
      folders.push_back((library / share / "hearth/data").lexically_normal());
  return folders;
}

std::filesystem::path find_bundled_data(const std::string& name) {
  std::vector<std::string> tried;
  for (const auto& folder : bundled_data_folders()) {
    std::error_code error;
    if (std::filesystem::exists(folder / name, error)) return folder / name;
    tried.push_back(folder.string());
  }
  throw DataError("cannot find " + quote(name) + ", which comes with Hearth. Looked in: " +
                  join(tried, ", ") + ". Set HEARTH_DATA to the folder that holds it.");
}

}  // namespace hearth
