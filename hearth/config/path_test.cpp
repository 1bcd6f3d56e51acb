// Paths: relative to the file that names them, wherever in the config they stand.
#include "hearth/config/path.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "hearth/config/merge.h"
#include "hearth/config/schema.h"
#include "hearth/config/validate.h"
#include "hearth/config/yaml.h"

namespace hearth {
namespace {

struct FileOptions {
  std::string file;
  std::string name = "x";
  static const Schema<FileOptions>& schema() {
    static const auto made = Schema<FileOptions>()
                                 .field(&FileOptions::file, "file", "A file.", is_path())
                                 .field(&FileOptions::name, "name", "No file.");
    return made;
  }
};

struct PathsOptions {
  std::string folder;
  std::vector<std::string> libraries;
  std::map<std::string, FileOptions> parts;
  std::optional<Choice<Source>> source;
  static const Schema<PathsOptions>& schema() {
    using O = PathsOptions;
    static const auto made = Schema<O>()
                                 .field(&O::folder, "folder", "A folder.", is_path())
                                 .field(&O::libraries, "libraries", "Files.", is_path())
                                 .field(&O::parts, "parts", "By name.")
                                 .field(&O::source, "source", "A component.");
    return made;
  }
};

Catalog paths_catalog() {
  Catalog catalog;
  catalog.experiment = PathsOptions::schema().info();
  catalog.kinds = {{"source", "", "", {}, false, {{"reader", "", FileOptions::schema().info()}}}};
  return catalog;
}

std::string resolved(const Node& config) {
  const Catalog catalog = paths_catalog();
  EXPECT_TRUE(validate(config, catalog.experiment, catalog).empty());
  return to_yaml_line(with_absolute_paths(config, catalog.experiment, catalog));
}

std::string here(const std::string& name) {
  return (std::filesystem::current_path() / name).lexically_normal().string();
}

TEST(Path, IsRelativeToTheFileThatNamesIt) {
  EXPECT_EQ(resolved(parse_yaml("folder: ../data", "/srv/project/a.yaml")), "{folder: /srv/data}");
  EXPECT_EQ(resolved(parse_yaml("folder: data", "configs/a.yaml")),
            "{folder: " + here("configs/data") + "}");
}

TEST(Path, IsFoundInListsMapsAndComponents) {
  EXPECT_EQ(
      resolved(parse_yaml("libraries: [a.so, /b.so]\nparts: {one: {file: c, name: d}}\n"
                          "source: {reader: {file: e, name: f}}\n",
                          "/x/a.yaml")),
      "{libraries: [/x/a.so, /b.so], parts: {one: {file: /x/c, name: d}}, source: {reader: {file: "
      "/x/e, name: f}}}");
}

TEST(Path, InAListOfOneIsAPathToo) {
  EXPECT_EQ(resolved(parse_yaml("libraries: a.so", "/x/a.yaml")), "{libraries: /x/a.so}");
}

TEST(Path, OfMergedFilesKeepsItsOwnFolder) {
  const Catalog catalog = paths_catalog();
  const Node merged =
      merge(parse_yaml("folder: one\nlibraries: two", "/base/a.yaml"),
            parse_yaml("libraries: two", "/mine/b.yaml"), catalog.experiment, catalog);
  EXPECT_EQ(resolved(merged), "{folder: /base/one, libraries: /mine/two}");
}

TEST(Path, OfAnOverrideAndOfCppIsRelativeToTheWorkingFolder) {
  const Catalog catalog = paths_catalog();
  const Node config = parse_yaml("folder: one", "/base/a.yaml");
  EXPECT_EQ(resolved(apply_override(config, "folder=two", catalog.experiment, catalog)),
            "{folder: " + here("two") + "}");
  EXPECT_EQ(absolute_path(Node::scalar("three")), here("three"));
}

TEST(Path, ThatIsEmptyStaysEmpty) {
  EXPECT_EQ(resolved(parse_yaml("folder: ''", "/base/a.yaml")), "{folder: ''}");
}

TEST(Path, SaysSoInTypesAndRules) {
  const Field* field = PathsOptions::schema().info().find("libraries");
  EXPECT_EQ(field->type.label(), "list of path");
  EXPECT_EQ(field->type.rule(), "each relative to this file");
}

}  // namespace
}  // namespace hearth
