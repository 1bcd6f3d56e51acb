// The files of a new component, made from the templates of its kind.
#include "cli/component_files.h"

#include "cli/component_name.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"

namespace hearth::cli {
namespace {

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  for (size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += by.size())
    text.replace(at, old.size(), by);
  return text;
}

// "hearth/nn/layers/" for a folder in Hearth's source tree, which has hearth/parts.txt at its
// root.
std::string include_prefix(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  for (fs::path root = whole; root != root.root_path(); root = root.parent_path()) {
    const fs::path below = whole.lexically_relative(root);
    if (fs::exists(root / "hearth" / "parts.txt") && *below.begin() == "hearth")
      return (below / "").string();
  }
  return "";
}

}  // namespace

std::vector<ComponentHome> component_homes(const fs::path& kinds_file) {
  std::vector<ComponentHome> homes;
  for (const std::string& line : split(read_file(kinds_file), '\n')) {
    const std::vector<std::string> words = split(line, ' ');
    if (words.size() > 3) homes.push_back({words[0], words[1], words[3]});
  }
  return homes;
}

const ComponentHome& component_home(const std::vector<ComponentHome>& homes,
                                    const std::string& kind) {
  std::vector<std::string> kinds;
  for (const ComponentHome& home : homes) {
    if (home.kind == kind) return home;
    kinds.push_back(home.kind);
  }
  throw ConfigError("There is no kind " + quote(kind) + "." + did_you_mean(kind, kinds));
}

std::vector<NewFile> component_files(const ComponentHome& home, const std::string& name,
                                     const fs::path& folder, const fs::path& templates) {
  require_good_name(name);
  std::vector<NewFile> files;
  for (const auto& [from, to] : {std::pair{".h", ".h"},
                                 {".cpp", ".cpp"},
                                 {".test", "_test.cpp"},
                                 {".case.yaml", ".case.yaml"}}) {
    const fs::path source = templates / (home.kind + from);
    if (from == std::string(".case.yaml") && !fs::exists(source)) continue;
    std::string text = read_file(source);
    text = replaced(text, "\"my_component.h\"", "\"" + include_prefix(folder) + name + ".h\"");
    text = replaced(text, "my_component", name);
    text = replaced(text, "MyComponent", type_name(name));
    files.push_back({(folder / (name + to)).lexically_normal(), text});
  }
  return files;
}

void write_new_files(const std::vector<NewFile>& files) {
  for (const NewFile& file : files)
    if (fs::exists(file.path))
      throw DataError(file.path.string() +
                      " exists already. Choose another name, or remove the file first.");
  for (const NewFile& file : files) {
    make_folder(fs::absolute(file.path).parent_path());
    write_file_durably(file.path, file.content);
  }
}

}  // namespace hearth::cli
