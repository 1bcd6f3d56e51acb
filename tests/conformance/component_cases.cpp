// Where the cases of components lie, and how they are read.
#include "tests/conformance/component_cases.h"

#include <cstdlib>
#include <filesystem>

#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/config/yaml.h"

namespace hearth {
namespace {

// The folders of a kind, from the file that the build wrote, and one of components from elsewhere.
std::vector<fs::path> kind_folders(const std::string& kind) {
  std::vector<fs::path> folders;
  for (const std::string& line :
       split(read_file(fs::path(HEARTH_STAGE_DIR) / "share" / "hearth" / "kinds.txt"), '\n')) {
    const std::vector<std::string> words = split(line, ' ');
    if (words.empty() || words.front() != kind) continue;
    for (size_t i = 3; i < words.size(); ++i)
      folders.push_back(fs::path(HEARTH_SOURCE_DIR) / words[i]);
  }
  if (const char* extra = std::getenv("HEARTH_EXTRA_COMPONENTS"))
    folders.push_back(fs::path(extra) / (kind + "s"));
  return folders;
}

// The source of a component; nothing when it lies elsewhere.
fs::path source_of(const std::string& kind, const std::string& component) {
  for (const fs::path& folder : kind_folders(kind)) {
    if (!fs::exists(folder)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
      if (entry.path().filename() == component + ".cpp") return entry.path();
  }
  return {};
}

const std::map<std::string, CaseKey>& known_keys() {
  static const std::map<std::string, CaseKey> keys = {
      {"logits", {.shape = {kCaseClasses}, .classes = kCaseClasses}},
      {"probability", {.shape = {kCaseClasses}, .classes = kCaseClasses}},
      {"label", {.dtype = "int64", .classes = kCaseClasses}},
      {"loss", {.per_batch = true}}};
  return keys;
}

}  // namespace

const Catalog& whole_catalog() {
  static const Catalog catalog = live_catalog();
  return catalog;
}

CaseFile case_file(const std::string& kind, const std::string& component) {
  const fs::path source = source_of(kind, component);
  const fs::path path = fs::path(source).replace_filename(component + ".case.yaml");
  return {path.string(), !source.empty() && fs::exists(path)};
}

Node read_case_file(const std::string& path) {
  Node node = parse_yaml(read_file(path), path);
  if (!node.is_map() || node.entries().empty())
    throw ConfigError(path + ": expected cases by name, such as `small: {options: {}}`.");
  return node;
}

const Schema<OptionsCase>& OptionsCase::schema() {
  static const auto fields = Schema<OptionsCase>();
  return fields;
}

const Schema<CaseKey>& CaseKey::schema() {
  using K = CaseKey;
  static const auto fields =
      Schema<K>()
          .field(&K::shape, "shape", "Of one sample.")
          .field(&K::dtype, "dtype", "Of its values.", one_of({"float32", "int64"}))
          .field(&K::classes, "classes", "How many classes its numbers name, or 0.", at_least(0))
          .field(&K::per_batch, "per_batch", "One value for the whole batch.")
          .field(&K::soft, "soft", "A soft label: a share for each class.")
          .field(&K::not_finite, "not_finite",
                 "A row of each batch has values that are no numbers.");
  return fields;
}

Spec CaseKey::spec() const {
  Spec spec;
  spec.dtype = *dtype_from(dtype);
  spec.shape = shape;
  spec.is_per_batch = per_batch;
  spec.classes = classes;
  if (soft || (dtype == "int64" && classes > 0)) spec.role = Role::kClass;
  return spec;
}

const Schema<KeysCase>& KeysCase::schema() {
  static const auto fields =
      Schema<KeysCase>().field(&KeysCase::keys, "keys", "Keys that it reads, beside the known.");
  return fields;
}

Spec KeysCase::spec(const std::string& key) const {
  if (const auto own = keys.find(key); own != keys.end()) return own->second.spec();
  if (const auto known = known_keys().find(key); known != known_keys().end())
    return known->second.spec();
  throw ConfigError("There is no value for the key '" + key +
                    "'. Say in the component's .case.yaml what it is, such as\n"
                    "small:\n  keys: {" +
                    key + ": {shape: [3]}}");
}

}  // namespace hearth
