// Data sets from the net: their descriptions lie beside the bundled data, a file each.
#include "cli/net/remote_set.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/config/validate.h"
#include "hearth/config/yaml.h"
#include "hearth/data/bundled_data.h"

namespace hearth {

Type TypeOf<cli::RemoteFile>::type() {
  Type type;
  type.kind = TypeKind::kOptions;
  type.options = std::make_shared<const SchemaInfo>(cli::RemoteFile::schema().info());
  return type;
}

cli::RemoteFile TypeOf<cli::RemoteFile>::read(const Node& node) {
  return cli::RemoteFile::schema().read(node);
}

Node TypeOf<cli::RemoteFile>::write(const cli::RemoteFile& file) {
  return cli::RemoteFile::schema().write(file);
}

namespace cli {
namespace {

bool is_hexadecimal(const std::string& text) {
  return text.find_first_not_of("0123456789abcdef") == text.npos;
}

bool is_checksum(const std::string& text) {
  const bool is_md5 = text.starts_with("md5:") && text.size() == 4 + 32;
  const bool is_sha256 = text.starts_with("sha256:") && text.size() == 7 + 64;
  return (is_md5 || is_sha256) && is_hexadecimal(text.substr(text.find(':') + 1));
}

// It becomes the name of a file.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name.front() != '.' && name.find_first_of("/\\?#%&") == name.npos;
}

fs::path folder_of_sets() { return find_bundled_data("sets"); }

}  // namespace

std::string RemoteFile::name() const { return url.substr(url.rfind('/') + 1); }

const Schema<RemoteFile>& RemoteFile::schema() {
  using O = RemoteFile;
  static const auto fields =
      Schema<O>()
          .field(&O::url, "url", "Where it is, https.", required(), not_empty())
          .field(&O::checksum, "checksum", "`md5:` or `sha256:` and the digits.", required())
          .check("'checksum' must be md5: and 32 digits, or sha256: and 64, 0 to 9 and a to f.",
                 [](const O& file) { return is_checksum(file.checksum); })
          .check("'url' must end with the name of a file.",
                 [](const O& file) { return is_plain_name(file.name()); });
  return fields;
}

const Schema<RemoteSet>& RemoteSet::schema() {
  using O = RemoteSet;
  static const auto fields =
      Schema<O>()
          .field(&O::about, "about", "What it is, one line.")
          .field(&O::files, "files", "Its files; .tar.gz and .tgz are unpacked.", required(),
                 not_empty())
          .field(&O::use, "use", "YAML to paste; FOLDER stands for where the files are.");
  return fields;
}

std::vector<std::string> remote_set_names() {
  std::vector<std::string> names;
  for (const fs::path& file : list_folder(folder_of_sets()))
    if (file.extension() == ".yaml") names.push_back(file.stem().string());
  return names;
}

RemoteSet load_remote_set(const std::string& name_or_file) {
  const bool is_file = name_or_file.ends_with(".yaml") || name_or_file.ends_with(".yml");
  const std::vector<std::string> known = remote_set_names();
  if (!is_file && std::find(known.begin(), known.end(), name_or_file) == known.end())
    throw ConfigError("There is no data set " + quote(name_or_file) + "." +
                      did_you_mean(name_or_file, known) +
                      "\n  Try: hearth data get, for a list; or describe yours in a .yaml file.");
  const fs::path path =
      is_file ? fs::path(name_or_file) : folder_of_sets() / (name_or_file + ".yaml");
  const Node node = load_yaml(path);
  throw_faults(validate(node, RemoteSet::schema().info(), Catalog{}));
  return RemoteSet::schema().read(node);
}

}  // namespace cli
}  // namespace hearth
