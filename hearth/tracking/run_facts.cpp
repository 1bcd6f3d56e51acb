// Facts from a run's folder.
#include "hearth/tracking/run_facts.h"

#include <algorithm>
#include <array>

#include "hearth/base/error.h"
#include "hearth/config/yaml.h"
#include "hearth/core/log_reader.h"
#include "hearth/format/json.h"

namespace hearth {
namespace {

void add_plain(const Node& node, const std::string& path, std::vector<PlainOption>& found) {
  const auto below = [&](const std::string& name) {
    return path.empty() ? name : path + "." + name;
  };
  if (node.is_scalar()) found.push_back({path, node});
  for (const Node::Entry& entry : node.entries()) add_plain(entry.value, below(entry.key), found);
  for (size_t i = 0; i < node.items().size(); ++i)
    add_plain(node.items()[i], below(std::to_string(i)), found);
}

bool is_about_places(const std::string& path) {
  constexpr std::array kPlaces = {
      "name",          "folder",          "plugins",          "predict.",
      "train.traces.", "train.trackers.", "train.checkpoint."};
  return std::ranges::any_of(
      kPlaces, [&](const char* place) { return path == place || path.starts_with(place); });
}

std::optional<LayerFacts> layer_from(const Json& node) {
  if (!node.is_object()) return std::nullopt;
  LayerFacts layer{text_at(node, "name"), text_at(node, "kind"), text_at(node, "output"), {}, {}};
  if (layer.name.empty()) return std::nullopt;
  for (const Json& length : node.value("shape", Json::array()))
    layer.shape.push_back(length.is_number_integer() ? length.get<int64_t>() : -1);
  for (const Json& input : node.value("inputs", Json::array()))
    if (input.is_string()) layer.inputs.push_back(input.get<std::string>());
  return layer;
}

}  // namespace

std::string text_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string run_name(const fs::path& run) {
  const fs::path whole = fs::absolute(run).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

std::optional<std::string> run_file(const fs::path& run, const std::string& name,
                                    uint64_t limit_bytes) {
  try {
    if (is_there(run / name)) return read_file(run / name, limit_bytes);
  } catch (const Error&) {
  }
  return std::nullopt;
}

Json run_json(const fs::path& run, const std::string& name) {
  try {
    if (const auto text = run_file(run, name)) return parse_json(*text, name);
  } catch (const Error&) {
  }
  return nullptr;
}

Node run_config(const fs::path& run) {
  try {
    if (const auto text = run_file(run, "config.yaml")) return parse_yaml(*text, "config.yaml");
  } catch (const Error&) {
  }
  return Node::map();
}

std::vector<PlainOption> plain_options(const Node& config) {
  std::vector<PlainOption> found;
  add_plain(config, "", found);
  std::erase_if(found, [](const PlainOption& option) { return is_about_places(option.path); });
  return found;
}

std::vector<LayerFacts> layer_facts(const fs::path& run) {
  std::vector<LayerFacts> layers;
  const Json model = run_json(run, "model.json");
  if (!model.is_object()) return layers;
  const auto nodes = model.find("layers");
  if (nodes == model.end() || !nodes->is_array()) return layers;
  for (const Json& node : *nodes)
    if (std::optional<LayerFacts> layer = layer_from(node)) layers.push_back(std::move(*layer));
  return layers;
}

RunState run_state(const fs::path& run) {
  constexpr std::array kStates = {"begin", "resume", "end", "interrupted", "diverged", "failed"};
  RunState state;
  try {
    LogReader history(run / "history.jsonl");
    for (LogNews news = history.next(); news.index() != 0; news = history.next())
      if (const auto* event = std::get_if<Event>(&news))
        if (std::ranges::find(kStates, event->kind) != kStates.end())
          state = {event->kind, event->time};
  } catch (const Error&) {
  }
  return state;
}

}  // namespace hearth
