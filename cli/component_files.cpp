// The files of a new component, made from the templates of its kind.
#include "cli/component_files.h"

#include <algorithm>

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

bool is_lower(char letter) { return letter >= 'a' && letter <= 'z'; }
bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

void require_name(const std::string& name) {
  const bool is_snake_case = !name.empty() && is_lower(name.front()) &&
                             std::all_of(name.begin(), name.end(), [](char letter) {
                               return is_lower(letter) || is_digit(letter) || letter == '_';
                             });
  if (!is_snake_case)
    throw ConfigError("The name " + quote(name) +
                      " must be lower-case letters, digits and underscores, such as random_crop.");
}

// "hearth/nn/layers/" for a folder in Hearth's source tree, which has hearth/layers.txt at its
// root.
std::string include_prefix(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  for (fs::path root = whole; root != root.root_path(); root = root.parent_path()) {
    const fs::path below = whole.lexically_relative(root);
    if (fs::exists(root / "hearth" / "layers.txt") && below != ".") return (below / "").string();
  }
  return "";
}

}  // namespace

const std::vector<ComponentHome>& component_homes() {
  static const std::vector<ComponentHome> homes = {
      {"layer", "Layer", "hearth/nn/layers"},
      {"metric", "Metric", "hearth/metrics/metrics"},
      {"network_op", "NetworkOp", "hearth/network/ops"},
      {"optimizer", "Optimizer", "hearth/optim/optimizers"},
      {"sample_op", "SampleOp", "hearth/data/ops"},
      {"schedule", "Schedule", "hearth/schedule/schedules"},
      {"source", "Source", "hearth/data/sources"},
      {"trace", "Trace", "hearth/train/traces"},
  };
  return homes;
}

const ComponentHome& component_home(const std::string& kind) {
  std::vector<std::string> kinds;
  for (const ComponentHome& home : component_homes()) {
    if (home.kind == kind) return home;
    kinds.push_back(home.kind);
  }
  throw ConfigError("There is no kind " + quote(kind) + "." + did_you_mean(kind, kinds));
}

std::string type_name(const std::string& name) {
  std::string type;
  for (const std::string& word : split(name, '_'))
    if (!word.empty()) type += static_cast<char>(std::toupper(word.front())) + word.substr(1);
  return type;
}

std::vector<NewFile> component_files(const ComponentHome& home, const std::string& name,
                                     const fs::path& folder, const fs::path& templates) {
  require_name(name);
  std::vector<NewFile> files;
  for (const auto& [from, to] : {std::pair{".h", ".h"}, {".cpp", ".cpp"}, {".test", "_test.cpp"}}) {
    std::string text = read_file(templates / (home.kind + from));
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
