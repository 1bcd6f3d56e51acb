// hearth weights convert: a file of weights in another format.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstring>
#include <list>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/command.h"
#include "cli/flag_checks.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/pattern.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/config/schema.h"
#include "hearth/config/yaml.h"
#include "hearth/format/array_names.h"
#include "hearth/format/json.h"
#include "hearth/format/weight_file.h"

namespace hearth::cli {
namespace {

// The numbers of a real type as float32.
std::vector<std::byte> as_float32(const WeightEntry& entry, std::span<const std::byte> bytes) {
  std::vector<std::byte> converted(entry.count() * sizeof(float));
  for (uint64_t i = 0; i < entry.count(); ++i) {
    const auto number = static_cast<float>(number_at(entry.type, bytes, i));
    std::memcpy(converted.data() + i * sizeof(float), &number, sizeof(float));
  }
  return converted;
}

// Patterns of a model's parameters that alone learned, by its edits.
std::vector<std::string> learned_of_model(const Node& model) {
  std::vector<std::string> patterns;
  const Node* edits = model.find("edits");
  if (edits == nullptr || !edits->is_list()) return patterns;
  for (const Node& edit : edits->items()) {
    const Node* only = edit.find("train_only");
    if (only == nullptr) continue;
    for (const std::string& pattern : TypeOf<std::vector<std::string>>::read(*only))
      patterns.push_back(pattern);
  }
  return patterns;
}

// The same of all models of a run, by the names that its weights have.
std::vector<std::string> learned_patterns(const fs::path& run) {
  const fs::path config = run / "config.yaml";
  if (!fs::is_directory(run) || !is_there(config))
    throw ConfigError(
        "--learned needs the folder of a run, or of an exported model, whose config "
        "says what learned, but " +
        run.string() + " is none.");
  std::vector<std::string> patterns;
  const Node written = load_yaml(config);
  if (const Node* models = written.find("models"); models != nullptr && models->is_map())
    for (const Node::Entry& model : models->entries())
      for (const std::string& pattern : learned_of_model(model.value))
        patterns.push_back(models->entries().size() == 1 ? pattern : model.key + "." + pattern);
  if (patterns.empty())
    throw ConfigError("--learned: in " + run.string() +
                      " every parameter may learn: no edit of its models says train_only, as the "
                      "techniques lora and adapter make it. Leave --learned out.");
  return patterns;
}

bool fits_any(const std::vector<std::string>& patterns, const std::string& name) {
  return std::ranges::any_of(patterns,
                             [&](const std::string& pattern) { return matches(pattern, name); });
}

class WeightsConvertCommand : public Command {
 public:
  WeightsConvertCommand()
      : Command({"weights convert",
                 "Use",
                 "Writes a file of weights in another format; the new name says which.",
                 "FILE TARGET",
                 {"hearth weights convert resnet50.pth resnet50.safetensors",
                  "hearth weights convert runs/digits-1 digits.pt",
                  "hearth weights convert runs/lora-1 lora.safetensors --learned",
                  "hearth weights convert half.pt full.npz --dtype float32"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("FILE", file_, "A file, or the folder of a run or an exported model.")
        ->required();
    app.add_option("TARGET", target_,
                   "The file to write: .safetensors, .pt, .pth or .npz. It is whole or not there.")
        ->required();
    app.add_option("--prefix", prefix_,
                   "Only tensors whose names begin with this are taken, without it.")
        ->type_name("TEXT");
    app.add_option("--only", pattern_, "Names that fit this pattern alone, such as '*lora_*'.")
        ->type_name("PATTERN");
    app.add_flag("--learned", is_learned_,
                 "Only what a run learned beside weights that stayed, as lora and adapter do.");
    app.add_option("--dtype", dtype_, "float32: real numbers of other types become float32.")
        ->check(one_of_words({"float32"}))
        ->type_name("TYPE");
    app.add_flag("--force", is_forced_, "Replaces a file that is there.");
  }

  int run() override {
    const std::string format = weight_format_of(target_);
    if (!is_forced_ && is_there(target_))
      throw ConfigError(target_ + " is there already. Name another file, or say --force.");
    const WeightFile file(file_);
    const std::vector<WeightView> views = views_of(file);
    if (views.empty())
      throw ConfigError(
          file.path().string() +
          " has no tensor that --prefix and --only let pass. `hearth weights show` lists them.");
    uint64_t bytes = 0;
    for (const WeightView& view : views) bytes += view.data.size();
    show_passing({"writing " + target_, human_bytes(bytes)});
    write_weights(target_, format, views);
    if (is_json())
      print(json_line(nlohmann::ordered_json{
          {"file", target_}, {"format", format}, {"tensors", views.size()}, {"bytes", bytes}}));
    else
      print(target_ + " holds " + human_count(views.size()) + " tensors, " + human_bytes(bytes) +
            ".\n");
    return 0;
  }

 private:
  // Numbers stay in the file, which is mapped, unless they lie otherwise than they are written.
  [[nodiscard]] std::vector<WeightView> views_of(const WeightFile& file) {
    std::vector<WeightView> views;
    std::optional<std::vector<std::string>> learned;
    if (is_learned_) learned = learned_patterns(file_);
    size_t done = 0;
    for (const WeightEntry& entry : file.entries()) {
      show_passing({"reading " + file.path().filename().string(),
                    human_count(++done) + " of " + human_count(file.entries().size())});
      if (!entry.name.starts_with(prefix_)) continue;
      if (!pattern_.empty() && !matches(pattern_, entry.name)) continue;
      if (learned && !fits_any(*learned, entry.name)) continue;
      rooms_.emplace_back();
      std::span<const std::byte> bytes = file.bytes(entry, rooms_.back());
      ArrayType type = entry.type;
      if (dtype_ == "float32" && is_real(type) && type != ArrayType::kFloat32) {
        std::vector<std::byte> converted = as_float32(entry, bytes);
        rooms_.back() = std::move(converted);
        bytes = rooms_.back();
        type = ArrayType::kFloat32;
      }
      views.push_back({entry.name.substr(prefix_.size()), type, entry.shape, bytes});
    }
    return views;
  }

  std::string file_;
  std::string target_;
  std::string prefix_;
  std::string pattern_;
  std::string dtype_;
  bool is_learned_ = false;
  bool is_forced_ = false;
  std::list<std::vector<std::byte>> rooms_;
};

}  // namespace

void register_weights_convert(Commands& commands) {
  commands.add(std::make_unique<WeightsConvertCommand>());
}

}  // namespace hearth::cli
