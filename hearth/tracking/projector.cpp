// The file by which TensorBoard's projector finds the vectors that a run wrote.
#include "hearth/tracking/projector.h"

#include <nlohmann/json.hpp>

namespace hearth {
namespace {

std::string quoted_in_proto(const std::string& text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  return quoted + "\"";
}

std::string detail_text(const Json& details, const char* key) {
  const auto found = details.find(key);
  return found != details.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

void ProjectorConfig::take(const Event& event) {
  if (event.kind != "file" || !event.details.is_object()) return;
  const std::string file = detail_text(event.details, "file");
  const bool is_metadata = file.ends_with(".metadata.tsv");
  if (!is_metadata && !file.ends_with(".vectors.tsv")) return;
  Vectors& newest = newest_[detail_text(event.details, "name")];
  if (newest.step != event.step) newest = {.step = event.step};
  (is_metadata ? newest.metadata : newest.file) = file;
}

std::string ProjectorConfig::text(const std::filesystem::path& run,
                                  const std::filesystem::path& folder) const {
  const auto path = [&](const std::string& file) {
    const auto from = std::filesystem::absolute(folder).lexically_normal();
    return quoted_in_proto(
        std::filesystem::absolute(run / file).lexically_normal().lexically_relative(from).string());
  };
  std::string text;
  for (const auto& [name, vectors] : newest_) {
    if (vectors.file.empty()) continue;
    text += "embeddings {\n  tensor_name: " +
            quoted_in_proto(name + ", step " + std::to_string(vectors.step)) +
            "\n  tensor_path: " + path(vectors.file) + "\n";
    if (!vectors.metadata.empty()) text += "  metadata_path: " + path(vectors.metadata) + "\n";
    text += "}\n";
  }
  return text;
}

}  // namespace hearth
