// A model as a drawing.
#include "hearth/train/model_drawing.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "hearth/base/text.h"
#include "hearth/config/yaml.h"
#include "hearth/format/markup.h"

namespace hearth {
namespace {

constexpr int kBoxWidth = 190;
constexpr int kBoxHeight = 44;
constexpr int kGapAcross = 30;
constexpr int kGapDown = 34;

std::string for_dot(const std::string& text) {
  std::string safe;
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') safe += '\\';
    safe += letter;
  }
  return safe;
}

// With the batch's, which differs.
std::vector<int64_t> lengths_of(const Spec& spec) {
  std::vector<int64_t> lengths = spec.shape;
  if (!spec.is_per_batch) lengths.insert(lengths.begin(), kAnyLength);
  return lengths;
}

std::string repeated(const std::string& label, size_t repeats) {
  return repeats == 1 ? label : label + " x " + std::to_string(repeats);
}

}  // namespace

ModelDrawing::ModelDrawing(const std::string& name, const Layer& layer, int64_t depth, bool folds)
    : folds_(folds) {
  const Spec& input = layer.input_spec();
  Ends ends = add_box({"input", input.text(), "", name + ".input", "", lengths_of(input)}, {});
  (void)add(name, layer, depth, ends);
}

// One that reads only a box made from the same is another turn of it.
ModelDrawing::Ends ModelDrawing::add_box(Box box, const Ends& from) {
  if (folds_ && from.size() == 1 && !box.choice.empty()) {
    Box& before = boxes_[from.front()];
    if (before.choice == box.choice && before.shape == box.shape) {
      ++before.repeats;
      return from;
    }
  }
  for (const size_t end : from) box.rank = std::max(box.rank, boxes_[end].rank + 1);
  boxes_.push_back(std::move(box));
  for (const size_t end : from) lines_.emplace_back(end, boxes_.size() - 1);
  return {boxes_.size() - 1};
}

ModelDrawing::Ends ModelDrawing::add(const std::string& path, const Layer& layer, int64_t depth,
                                     const Ends& from) {
  if (depth > 0 && !layer.description().is_empty()) return add_described(path, layer, depth, from);
  const std::string name = path.substr(path.rfind('.') + 1);
  const std::string& kind = layer.choice().name();
  const Spec& output = layer.output_spec();
  return add_box(
      {kind.empty() || kind == name ? name : name + " " + kind, output.text(),
       to_yaml(layer.choice().node()), path, kind.empty() ? name : kind, lengths_of(output)},
      from);
}

ModelDrawing::Ends ModelDrawing::add_described(const std::string& path, const Layer& layer,
                                               int64_t depth, const Ends& from) {
  const Description& description = layer.description();
  std::map<std::string, Ends> values;
  for (const std::string& input : description.inputs) values[input] = from;
  for (const LayerNode& node : description.nodes) {
    Ends read;
    for (const std::string& name : node.in)
      for (const size_t end : values[name])
        if (std::ranges::find(read, end) == read.end()) read.push_back(end);
    const Layer* child = layer.tree().find_child(node.used().empty() ? node.name : node.used());
    const Ends given = child != nullptr
                           ? add(path + "." + node.name, *child, depth - 1, read)
                           : add_box({node.name, "", "", path + "." + node.name, node.name}, read);
    for (const std::string& name : node.out) values[name] = given;
  }
  Ends ends;
  for (const std::string& name : description.outputs)
    for (const size_t end : values[name])
      if (std::ranges::find(ends, end) == ends.end()) ends.push_back(end);
  return ends;
}

Json ModelDrawing::to_json() const {
  Json list = Json::array();
  for (const Box& box : boxes_)
    list.push_back({{"name", box.path},
                    {"kind", box.kind},
                    {"output", box.shape},
                    {"shape", box.lengths},
                    {"inputs", Json::array()}});
  for (const auto& [from, to] : lines_) list[to]["inputs"].push_back(boxes_[from].path);
  return list;
}

std::string ModelDrawing::dot() const {
  std::string text = "digraph model {\n  node [shape=box, fontname=\"sans-serif\"];\n";
  for (size_t i = 0; i < boxes_.size(); ++i)
    text += "  " + std::to_string(i) + " [label=\"" +
            for_dot(repeated(boxes_[i].label, boxes_[i].repeats)) + "\\n" +
            for_dot(boxes_[i].shape) + "\"];\n";
  for (const auto& [from, to] : lines_)
    text += "  " + std::to_string(from) + " -> " + std::to_string(to) + ";\n";
  return text + "}\n";
}

std::string ModelDrawing::svg() const {
  std::map<size_t, size_t> in_row;
  std::vector<std::pair<int, int>> places;
  size_t widest = 1;
  size_t rows = 1;
  for (const Box& box : boxes_) {
    const size_t column = in_row[box.rank]++;
    places.emplace_back(kGapAcross + static_cast<int>(column) * (kBoxWidth + kGapAcross),
                        kGapDown + static_cast<int>(box.rank) * (kBoxHeight + kGapDown));
    widest = std::max(widest, column + 1);
    rows = std::max(rows, box.rank + 1);
  }
  const auto number = [](int value) { return std::to_string(value); };
  const int width = kGapAcross + static_cast<int>(widest) * (kBoxWidth + kGapAcross);
  const int height = kGapDown + static_cast<int>(rows) * (kBoxHeight + kGapDown);
  std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number(width) +
                     "\" height=\"" + number(height) +
                     "\" font-family=\"sans-serif\" font-size=\"12\">\n";
  for (const auto& [from, to] : lines_)
    text += "<line x1=\"" + number(places[from].first + kBoxWidth / 2) + "\" y1=\"" +
            number(places[from].second + kBoxHeight) + "\" x2=\"" +
            number(places[to].first + kBoxWidth / 2) + "\" y2=\"" + number(places[to].second) +
            "\" stroke=\"#888\"/>\n";
  for (size_t i = 0; i < boxes_.size(); ++i) {
    const auto [left, top] = places[i];
    const std::string middle = number(left + kBoxWidth / 2);
    text += "<rect x=\"" + number(left) + "\" y=\"" + number(top) + "\" width=\"" +
            number(kBoxWidth) + "\" height=\"" + number(kBoxHeight) +
            "\" rx=\"6\" fill=\"#f4f4f4\" stroke=\"#444\"/>\n";
    text += "<text x=\"" + middle + "\" y=\"" + number(top + 18) + "\" text-anchor=\"middle\">" +
            for_markup(repeated(boxes_[i].label, boxes_[i].repeats)) + "</text>\n";
    text += "<text x=\"" + middle + "\" y=\"" + number(top + 35) +
            "\" text-anchor=\"middle\" fill=\"#666\">" + for_markup(boxes_[i].shape) + "</text>\n";
  }
  return text + "</svg>\n";
}

}  // namespace hearth
