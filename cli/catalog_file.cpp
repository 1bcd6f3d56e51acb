// Files that come with the program: ../share/hearth beside it.
#include "cli/catalog_file.h"

#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"

namespace hearth::cli {

fs::path share_folder() {
  std::error_code problem;
  const fs::path program = fs::read_symlink("/proc/self/exe", problem);
  if (problem) throw InternalError("The program cannot find itself: " + problem.message() + ".");
  return program.parent_path().parent_path() / "share" / "hearth";
}

Catalog load_catalog() {
  const fs::path path = share_folder() / "catalog.json";
  if (!fs::exists(path))
    throw DataError(path.string() +
                    ": the catalog of components is missing. Install Hearth again, " +
                    "or build the target hearth_catalog_file.");
  try {
    return Catalog::from_json(nlohmann::json::parse(read_file(path)));
  } catch (const nlohmann::json::exception& error) {
    throw DataError(path.string() + ": the catalog of components is damaged: " + error.what() +
                    ". Install Hearth again, or build the target hearth_catalog_file.");
  }
}

const KindInfo& kind_named(const Catalog& catalog, const std::string& name) {
  const std::string singular = name.ends_with('s') ? name.substr(0, name.size() - 1) : name;
  for (const std::string& form : {name, singular})
    if (const KindInfo* kind = catalog.kind(form)) return *kind;
  throw ConfigError("There is no kind " + quote(name) + "." +
                    did_you_mean(name, kind_names(catalog)));
}

std::vector<std::string> kind_names(const Catalog& catalog) {
  std::vector<std::string> names;
  for (const KindInfo& kind : catalog.kinds) names.push_back(kind.name);
  return names;
}

}  // namespace hearth::cli
