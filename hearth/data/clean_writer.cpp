// Cleaned data as a description.
#include "hearth/data/clean_writer.h"

#include <set>

#include <nlohmann/json.hpp>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/config/yaml.h"
#include "hearth/data/sources/selection.h"
#include "hearth/format/json.h"

namespace hearth {

namespace {

fs::path beside_cleaned(const fs::path& file, const std::string& ending) {
  return fs::path(file).replace_extension(ending);
}

std::string indices_text(const CleanSet& set) {
  std::string text;
  for (const int64_t sample : set.samples) text += std::to_string(sample) + "\n";
  return text;
}

nlohmann::json records_json(const Cleaned& cleaned) {
  auto steps = nlohmann::json::array();
  for (const CleanRecord& record : cleaned.records) {
    auto sets = nlohmann::json::object();
    for (const CleanChange& change : record.changes)
      sets[change.set] = {
          {"before", change.before}, {"after", change.after}, {"examples", change.examples}};
    steps.push_back({{"step", record.step}, {"options", record.options}, {"sets", sets}});
  }
  return steps;
}

constexpr uint64_t kProvenanceLimitBytes = 16 << 20;

void add_clean_files(const Node& node, std::set<std::string>& files) {
  if (node.is_list())
    for (const Node& item : node.items()) add_clean_files(item, files);
  if (!node.is_map()) return;
  for (const Node::Entry& entry : node.entries()) {
    const bool is_selection = entry.key == "selection" && entry.value.is_map();
    const Node* file = is_selection ? entry.value.find("provenance") : nullptr;
    if (file != nullptr && file->is_scalar() && !file->text().empty()) files.insert(file->text());
    add_clean_files(entry.value, files);
  }
}

std::string cleaned_count(int64_t count) { return human_count(static_cast<uint64_t>(count)); }

}  // namespace

void check_cleaned_name(const fs::path& file) {
  if (file.extension() != ".yaml" && file.extension() != ".yml")
    throw ConfigError("-o " + file.string() + ": must be a YAML file, such as cleaned.yaml.");
}

nlohmann::json write_cleaned(const Cleaned& cleaned, const fs::path& file) {
  check_cleaned_name(file);
  nlohmann::json provenance = {{"steps", records_json(cleaned)},
                               {"sets", nlohmann::json::object()}};
  const fs::path record = beside_cleaned(file, ".provenance.json");
  Node data = Node::map();
  if (file.has_parent_path()) make_folder(file.parent_path());
  for (const CleanSet& set : cleaned.sets) {
    const fs::path indices = beside_cleaned(file, "." + set.name + ".indices");
    const std::string text = indices_text(set);
    write_file_durably(indices, text);
    const Choice<Source> chosen = sources::selection({.of = set.choice,
                                                      .indices = indices.filename().string(),
                                                      .digest = sha256_hex(text),
                                                      .samples_of_source = set.source->size(),
                                                      .provenance = record.filename().string()});
    data.set(set.name, chosen.node());
    provenance["sets"][set.name] = {
        {"source", to_yaml_line(set.choice.node())}, {"fingerprint", set.source->fingerprint()},
        {"samples_of_source", set.source->size()},   {"samples", set.samples.size()},
        {"indices", indices.filename().string()},    {"digest", sha256_hex(text)}};
  }
  write_file_durably(record, provenance.dump(2) + "\n");
  write_file_durably(file,
                     "# Made by hearth data clean. Give it after an experiment: its sets take "
                     "the place of those there.\n# What came from where stands in " +
                         record.filename().string() + ".\n" +
                         to_yaml(Node::map().set("data", data)));
  return provenance;
}

void keep_clean_records(const Node& config, const fs::path& run,
                        const std::function<void(const std::string&)>& tell) {
  std::set<std::string> files;
  add_clean_files(config, files);
  auto records = nlohmann::json::object();
  for (const std::string& file : files) {
    try {
      records[file] = parse_json(read_file(file, kProvenanceLimitBytes), file);
    } catch (const DataError& error) {
      if (tell)
        tell(std::string("the run does not record how its data were cleaned: ") + error.what());
    }
  }
  if (!records.empty()) write_file_durably(run / "provenance.json", records.dump(2) + "\n");
}

std::string cleaned_text(const Cleaned& cleaned) {
  std::string text;
  for (const CleanRecord& record : cleaned.records) {
    text += record.step + "\n";
    for (const CleanChange& change : record.changes) {
      text += "  " + change.set + ": " + cleaned_count(change.before) + " -> " +
              cleaned_count(change.after) + "\n";
      for (const std::string& example : change.examples) text += "    " + example + "\n";
    }
  }
  text += "Left\n";
  for (const CleanSet& set : cleaned.sets)
    text += "  " + set.name + ": " + cleaned_count(static_cast<int64_t>(set.samples.size())) +
            " samples of " + set.choice.name() + ", which has " +
            cleaned_count(set.source->size()) + "\n";
  return text;
}

}  // namespace hearth
