// What a model is made of, before it trains.
#include "hearth/train/model_summary.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "hearth/base/files.h"
#include "hearth/base/letters.h"
#include "hearth/base/memory.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/network/model.h"
#include "hearth/train/experiment_graph.h"
#include "hearth/train/model_drawing.h"
#include "hearth/train/plan_check.h"

namespace hearth {
namespace {

// How far a value sees, and how far apart on the input two neighbours are.
struct SeenField {
  std::optional<int64_t> side = 1;
  int64_t jump = 1;
};

bool has_picture_shape(const Spec& spec) { return spec.shape.size() == 3; }

// As the layer has it: what was given, or else its default; the largest of several sides.
int64_t whole_option(const Choice<Layer>& choice, const char* name, int64_t otherwise) {
  const Node* given = choice.options().find(name);
  const SchemaInfo schema = registry<Layer>().schema(choice.name(), choice.options().mark());
  const Field* field = schema.find(name);
  const Node* value = given == nullptr && field != nullptr ? &field->default_value : given;
  if (value == nullptr || value->is_null()) return otherwise;
  if (!value->is_list()) return read_integer(value->text()).value_or(otherwise);
  int64_t largest = 1;
  for (const Node& side : value->items())
    largest = std::max(largest, read_integer(side.text()).value_or(otherwise));
  return largest;
}

// The layer that computes: what another one is put around, as weight_norm.
Choice<Layer> computing_layer(const Choice<Layer>& choice) {
  const Node* inner = choice.options().find("layer");
  if (choice.name() == "use" || inner == nullptr || inner->is_null()) return choice;
  return TypeOf<Choice<Layer>>::read(*inner);
}

// Whether a window says how far it sees: not where images grow, whole images are cut into parts, or
// places look at others by what they hold.
bool has_window(const std::string& name) {
  constexpr std::array<std::string_view, 6> kOthers = {
      "permute", "pixel_shuffle", "reshape", "resize_like", "upsample2d", "window_attention"};
  return !name.starts_with("conv_transpose") && !name.starts_with("adaptive_") &&
         std::ranges::find(kOthers, name) == kOthers.end();
}

// Of one layer that computes by itself.
SeenField field_after(const Layer& layer, SeenField field) {
  if (!has_picture_shape(layer.input_spec())) return {std::nullopt, 1};
  if (!has_picture_shape(layer.output_spec())) return {std::nullopt, 1};
  const Choice<Layer> choice = computing_layer(layer.choice());
  if (choice.name().empty()) return field;
  if (!has_window(choice.name())) return {std::nullopt, 1};
  const bool is_unshuffle = choice.name() == "pixel_unshuffle";
  const int64_t kernel = whole_option(choice, is_unshuffle ? "downscale_factor" : "kernel_size", 1);
  const int64_t dilation = whole_option(choice, "dilation", 1);
  const bool is_pool = is_unshuffle || choice.name().find("pool") != std::string::npos;
  const int64_t stride = whole_option(choice, "stride", is_pool ? kernel : 1);
  if (field.side) *field.side += (kernel - 1) * dilation * field.jump;
  field.jump *= std::max<int64_t>(stride, 1);
  return field;
}

SeenField widest_field(const SeenField& left, const SeenField& right) {
  if (!left.side || !right.side) return {std::nullopt, std::max(left.jump, right.jump)};
  return {std::max(*left.side, *right.side), std::max(left.jump, right.jump)};
}

uint64_t batch_bytes_of(const Layer& layer, int64_t batch_size) {
  uint64_t bytes = 0;
  std::vector<Spec> outputs = layer.output_specs();
  for (Spec& output : layer.outputs_again()) outputs.push_back(std::move(output));
  for (const Spec& output : outputs)
    if (!output.is_ragged())
      bytes = counted_sum(
          bytes, counted_product(static_cast<uint64_t>(output.bytes()),
                                 static_cast<uint64_t>(output.is_per_batch ? 1 : batch_size)));
  return bytes;
}

std::string path_under(const std::string& path, const std::string& name) {
  if (path.empty() || name.empty()) return path + name;
  return path + "." + name;
}

class Summarizer {
 public:
  explicit Summarizer(ModelSummary& summary) : summary_(summary) {}

  SeenField walk(const std::string& path, const std::string& name, Layer& layer, int depth,
                 const SeenField& before) {
    const size_t place = summary_.rows.size();
    summary_.rows.push_back({path, name, layer.choice().name(), layer.output_spec().text(), depth});
    for (const Spec& output : layer.output_specs()) summary_.is_ragged |= output.is_ragged();
    const auto children = layer.children();
    SeenField field = {std::nullopt, 1};
    if (!layer.description().is_empty())
      field = walk_described(path, layer, depth, before);
    else if (children.empty())
      field = field_after(layer, before);
    else
      for (const auto& [child, inner] : children)
        (void)walk(path_under(path, child), child, *inner, depth + 1, before);
    SummaryRow& row = summary_.rows[place];
    for (const auto& [parameter, tensor] : layer.handles())
      (tensor.requires_grad() ? row.learned : row.frozen) += tensor.numel();
    row.multiply_adds = layer.total_work();
    row.activation_bytes = activation_bytes_of(layer, summary_.batch_size);
    if (has_picture_shape(layer.output_spec())) row.field = field.side;
    return field;
  }

 private:
  SeenField walk_described(const std::string& path, Layer& layer, int depth,
                           const SeenField& before) {
    const Description& description = layer.description();
    std::map<std::string, SeenField> values;
    for (const std::string& input : description.inputs) values[input] = before;
    for (const LayerNode& node : description.nodes) {
      SeenField read = node.in.empty() ? before : values[node.in.front()];
      for (const std::string& name : node.in) read = widest_field(read, values[name]);
      Layer* child = layer.tree().find_child(node.used().empty() ? node.name : node.used());
      SeenField given = {std::nullopt, 1};
      if (child != nullptr && node.used().empty())
        given = walk(path_under(path, node.name), node.name, *child, depth + 1, read);
      else if (child != nullptr) {
        summary_.shared += child->parameter_count();
        if (child->children().empty()) given = field_after(*child, read);
      }
      for (const std::string& name : node.out) values[name] = given;
    }
    if (description.outputs.empty()) return {std::nullopt, 1};
    SeenField field = values[description.outputs.front()];
    for (const std::string& name : description.outputs) field = widest_field(field, values[name]);
    return field;
  }

  ModelSummary& summary_;
};

std::string work_text(double multiply_adds) {
  if (multiply_adds <= 0) return "";
  const char* units[] = {"", "k", "M", "G", "T"};
  double flops = 2 * multiply_adds;
  size_t unit = 0;
  while (flops >= 1000 && unit < 4) {
    flops /= 1000;
    ++unit;
  }
  return rounded_number(flops, 3) + " " + units[unit] + "FLOP";
}

std::string whole_work_text(double multiply_adds, bool is_ragged) {
  const std::string known = work_text(multiply_adds);
  if (!is_ragged) return known.empty() ? "next to nothing" : known;
  return (known.empty() ? "" : known + " and ") + "what depends on the lengths of sequences";
}

std::string parameters_text(const SummaryRow& row) {
  if (row.learned + row.frozen == 0) return "";
  std::string text = human_count(static_cast<uint64_t>(row.learned + row.frozen));
  if (row.frozen > 0 && row.learned > 0)
    text += " (" + human_count(static_cast<uint64_t>(row.learned)) + " learn)";
  else if (row.frozen > 0)
    text += " (frozen)";
  return text;
}

bool is_within_depth(const SummaryRow& row, int64_t most_depth) {
  return most_depth < 0 || row.depth <= most_depth;
}

fs::path drawing_of(const fs::path& first, const std::string& further) {
  if (further.empty()) return first;
  return first.parent_path() / (first.stem().string() + "-" + further + first.extension().string());
}

// `further`: the model's name, unless it is the first.
void write_drawings(const std::string& name, Layer& layer, const SummarySettings& settings,
                    const std::string& further = "") {
  if (settings.svg.empty() && settings.dot.empty()) return;
  const ModelDrawing drawing(name, layer, settings.draw_depth);
  if (!settings.svg.empty()) write_file_durably(drawing_of(settings.svg, further), drawing.svg());
  if (!settings.dot.empty()) write_file_durably(drawing_of(settings.dot, further), drawing.dot());
}

// The target that the layer at the end of this value says it scores.
std::string label_of(const Description& description, const std::string& value) {
  for (const LayerNode& node : description.nodes)
    if (std::ranges::find(node.out, value) != node.out.end())
      if (const Node* label = node.layer.options().find("classes_of");
          label != nullptr && label->is_scalar() && !label->is_null())
        return label->text();
  return "";
}

std::vector<SummaryOutput> outputs_of(const Layer& layer) {
  std::vector<SummaryOutput> outputs;
  const std::vector<Spec>& specs = layer.output_specs();
  const Description& description = layer.description();
  for (size_t i = 0; i < specs.size(); ++i) {
    const bool is_named = i < description.outputs.size();
    const std::string name = is_named ? description.outputs[i] : std::to_string(i);
    outputs.push_back({name, specs[i].text(), is_named ? label_of(description, name) : ""});
  }
  return outputs;
}

ModelSummary summary_in(ExperimentGraph& experiment, Model& model) {
  const int64_t batch_size = experiment.loader_options(Mode::kTrain, 1).batch_size;
  OptimizerMemorySize optimizer;
  for (const ModelOptimizers::Named& named : model.optimizers().all())
    optimizer.name += (optimizer.name.empty() ? "" : " and ") + named.choice.name();
  optimizer.bytes = static_cast<uint64_t>(model.optimizers().expected_bytes());
  return summary_of(model.name(), model.layer(), batch_size, optimizer);
}

}  // namespace

uint64_t activation_bytes_of(const Layer& layer, int64_t batch_size) {
  const auto children = layer.children();
  if (children.empty()) return batch_bytes_of(layer, batch_size);
  uint64_t bytes = 0;
  for (const auto& [name, child] : children)
    bytes = counted_sum(bytes, activation_bytes_of(*child, batch_size));
  return bytes;
}

ModelSummary summary_of(const std::string& name, Layer& layer, int64_t batch_size,
                        const OptimizerMemorySize& optimizer) {
  ModelSummary summary;
  summary.name = name;
  summary.batch_size = batch_size;
  (void)Summarizer(summary).walk("", name, layer, 0, {});
  summary.outputs = outputs_of(layer);
  const SummaryRow& whole = summary.rows.front();
  const auto learned = static_cast<uint64_t>(whole.learned);
  summary.parameter_bytes = (learned + static_cast<uint64_t>(whole.frozen)) * sizeof(float);
  summary.activation_bytes = whole.activation_bytes;
  summary.optimizer = optimizer;
  const uint64_t gradient_bytes = learned * sizeof(float);
  summary.training_bytes =
      counted_sum(counted_sum(summary.parameter_bytes + gradient_bytes, optimizer.bytes),
                  summary.activation_bytes);
  return summary;
}

std::string ModelSummary::text(int64_t most_depth) const {
  size_t width = 0;
  std::vector<std::string> labels;
  for (const SummaryRow& row : rows) {
    const std::string label = std::string(static_cast<size_t>(row.depth) * 2, ' ') +
                              (row.name.empty() ? "(inside)" : row.name) +
                              (row.kind.empty() ? "" : " " + row.kind);
    if (is_within_depth(row, most_depth)) width = std::max(width, letter_count(label));
    labels.push_back(label);
  }
  std::string text;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!is_within_depth(rows[i], most_depth)) continue;
    const std::string seen =
        rows[i].field && rows[i].depth > 0 ? "sees " + std::to_string(*rows[i].field) : "";
    std::string line = padded(labels[i], width) + "  " + padded(rows[i].output, 26) + "  " +
                       padded(parameters_text(rows[i]), 12) + "  " +
                       padded(work_text(rows[i].multiply_adds), 11) + "  " + seen;
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  for (const SummaryOutput& output : outputs)
    if (outputs.size() > 1)
      text += "gives " + output.name + ": " + output.output +
              (output.label.empty() ? "" : ", scores of " + quote(output.label)) + "\n";
  const SummaryRow& whole = rows.front();
  text += "parameters: " + human_count(static_cast<uint64_t>(whole.learned + whole.frozen)) + ", " +
          human_count(static_cast<uint64_t>(whole.learned)) + " learn, " +
          human_count(static_cast<uint64_t>(whole.frozen)) + " frozen" +
          (shared > 0 ? ", " + human_count(static_cast<uint64_t>(shared)) + " used again" : "") +
          "; " + human_bytes(parameter_bytes) + "\n";
  text += "forward pass of a sample: " + whole_work_text(whole.multiply_adds, is_ragged) + "\n";
  text += "memory of a training step, batch of " + std::to_string(batch_size) + ": about " +
          human_bytes(training_bytes) + ", of it " + human_bytes(activation_bytes) +
          " for what layers give" + (is_ragged ? " beside sequences of any length" : "") +
          (optimizer.bytes == 0 ? std::string()
                                : " and " + human_bytes(optimizer.bytes) + " for what " +
                                      optimizer.name + " remembers") +
          "\n";
  return text;
}

Json ModelSummary::to_json(int64_t most_depth) const {
  Json layers = Json::array();
  for (const SummaryRow& row : rows) {
    if (!is_within_depth(row, most_depth)) continue;
    Json json = {{"path", row.path},
                 {"kind", row.kind},
                 {"depth", row.depth},
                 {"output", row.output},
                 {"learned", row.learned},
                 {"frozen", row.frozen},
                 {"flops", 2 * row.multiply_adds},
                 {"activation_bytes", row.activation_bytes}};
    if (row.field) json["receptive_field"] = *row.field;
    layers.push_back(std::move(json));
  }
  Json given = Json::array();
  for (const SummaryOutput& output : outputs) {
    given.push_back({{"name", output.name}, {"output", output.output}});
    if (!output.label.empty()) given.back()["label"] = output.label;
  }
  return {{"name", name},
          {"batch_size", batch_size},
          {"parameters", rows.front().learned + rows.front().frozen},
          {"learned", rows.front().learned},
          {"shared", shared},
          {"flops", 2 * rows.front().multiply_adds},
          {"parameter_bytes", parameter_bytes},
          {"activation_bytes", activation_bytes},
          {"optimizer_bytes", optimizer.bytes},
          {"training_bytes", training_bytes},
          {"depends_on_lengths", is_ragged},
          {"outputs", std::move(given)},
          {"layers", std::move(layers)}};
}

std::vector<ModelSummary> summarize(const ExperimentOptions& options, const Node& config,
                                    const SummarySettings& settings) {
  ExperimentGraph experiment(options, config);
  experiment.open_sources();
  (void)check_run(experiment);
  std::vector<ModelSummary> summaries;
  for (const auto& model : experiment.network().models().all()) {
    if (!model->is_built()) continue;
    summaries.push_back(summary_in(experiment, *model));
    write_drawings(model->name(), model->layer(), settings,
                   summaries.size() == 1 ? "" : model->name());
  }
  return summaries;
}

Json model_record(ExperimentGraph& experiment) {
  constexpr int64_t kAll = -1;
  constexpr int64_t kDeepest = 100;
  constexpr bool kFolds = false;
  Json record = {{"models", Json::array()}, {"layers", Json::array()}};
  for (const auto& model : experiment.network().models().all()) {
    if (!model->is_built()) continue;
    record["models"].push_back(summary_in(experiment, *model).to_json(kAll));
    for (Json& box : ModelDrawing(model->name(), model->layer(), kDeepest, kFolds).to_json())
      record["layers"].push_back(std::move(box));
  }
  return record;
}

ModelSummary summarize(const Choice<Layer>& choice, const Spec& input, int64_t classes,
                       int64_t batch_size, const SummarySettings& settings) {
  ModelOptions options;
  options.build = choice;
  Model model(choice.name(), options);
  (void)model.build(input, 0, classes, at::kCPU);
  write_drawings(choice.name(), model.layer(), settings);
  uint64_t learned = 0;
  for (const auto& [name, tensor] : model.layer().handles())
    if (tensor.requires_grad()) learned += static_cast<uint64_t>(tensor.numel());
  return summary_of(choice.name(), model.layer(), batch_size,
                    {"adam", 2 * sizeof(float) * learned});
}

}  // namespace hearth
