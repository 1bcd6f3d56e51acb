// TensorBoard's records. Field numbers are those of its published event, summary, tensor, graph and
// hparams messages.
#include "hearth/tracking/summary.h"

#include <algorithm>
#include <cmath>

#include "hearth/base/text.h"
#include "hearth/format/png.h"
#include "hearth/format/protobuf.h"

namespace hearth {
namespace {

using Message = ProtobufWriter;

constexpr uint64_t kFloatType = 1;
constexpr uint64_t kStringType = 7;
constexpr uint64_t kTensorData = 2;  // the class of data that is neither scalar nor blob

Message shape_of(std::span<const int64_t> lengths) {
  Message shape;
  for (const int64_t length : lengths)
    shape.message(2, Message().varint(1, static_cast<uint64_t>(length)));
  return shape;
}

Message metadata(const std::string& plugin, const Message& content) {
  return Message()
      .message(1, Message().bytes(1, plugin).message(2, content))
      .varint(4, kTensorData);
}

// A value that says all it has to say in its metadata still needs a tensor.
Message one_zero() {
  constexpr int64_t kOne = 1;
  return Message().varint(1, kFloatType).message(2, shape_of({&kOne, 1})).single(5, 0);
}

SummaryValue hparams_summary(const std::string& tag, const Message& content) {
  return {Message()
              .bytes(1, "_hparams_/" + tag)
              .message(8, one_zero())
              .message(9, metadata("hparams", content))
              .text()};
}

Message plain_value(const Node& node) {
  if (!node.is_quoted() && (node.text() == "true" || node.text() == "false"))
    return Message().varint(4, node.text() == "true" ? 1 : 0);
  if (const auto number = read_number(node.text()); number && !node.is_quoted())
    return Message().number(2, *number);
  return Message().bytes(3, node.text());
}

// TensorBoard shows slashes as boxes around boxes.
std::string scoped(std::string name) {
  std::ranges::replace(name, '.', '/');
  return name;
}

Message graph_node(const LayerFacts& layer) {
  Message node;
  node.bytes(1, scoped(layer.name)).bytes(2, layer.kind.empty() ? "Placeholder" : layer.kind);
  for (const std::string& input : layer.inputs) node.bytes(3, scoped(input));
  const auto attribute = [&](const char* name, const Message& value) {
    node.message(5, Message().bytes(1, name).message(2, value));
  };
  if (!layer.shape.empty())
    attribute("_output_shapes", Message().message(1, Message().message(7, shape_of(layer.shape))));
  attribute("output", Message().bytes(2, layer.output));
  return node;
}

Message event_at(const SummaryMoment& moment) {
  return Message().number(1, moment.time).varint(2, static_cast<uint64_t>(moment.step));
}

}  // namespace

SummaryValue scalar_summary(const std::string& tag, double value) {
  return {Message().bytes(1, tag).single(2, static_cast<float>(value)).text()};
}

SummaryValue histogram_summary(const std::string& tag, const EvenHistogram& given) {
  EvenHistogram bars = given;
  // Values that are all the same lie in the middle of bars from one below to one above.
  if (bars.from == bars.to) bars = {bars.from - 1, bars.to + 1, bars.counts};
  const double width = (bars.to - bars.from) / static_cast<double>(bars.counts.size());
  double number = 0;
  double sum = 0;
  double squares = 0;
  std::vector<double> limits;  // where each bar ends
  for (size_t i = 0; i < bars.counts.size(); ++i) {
    const double middle = bars.from + (static_cast<double>(i) + 0.5) * width;
    number += bars.counts[i];
    sum += bars.counts[i] * middle;
    squares += bars.counts[i] * middle * middle;
    limits.push_back(bars.from + (static_cast<double>(i) + 1) * width);
  }
  limits.back() = bars.to;
  const Message histogram = Message()
                                .number(1, bars.from)
                                .number(2, bars.to)
                                .number(3, number)
                                .number(4, sum)
                                .number(5, squares)
                                .packed(6, limits)
                                .packed(7, bars.counts);
  return {Message().bytes(1, tag).message(5, histogram).text()};
}

SummaryValue image_summary(const std::string& tag, const std::string& png) {
  const PictureSize size = png_size(png, tag);
  const Message image = Message()
                            .varint(1, static_cast<uint64_t>(size.height))
                            .varint(2, static_cast<uint64_t>(size.width))
                            .varint(3, 3)
                            .bytes(4, png);
  return {Message().bytes(1, tag).message(4, image).text()};
}

SummaryValue text_summary(const std::string& tag, const std::string& markdown) {
  constexpr int64_t kOne = 1;
  const Message tensor =
      Message().varint(1, kStringType).message(2, shape_of({&kOne, 1})).bytes(8, markdown);
  return {Message().bytes(1, tag).message(8, tensor).message(9, metadata("text", {})).text()};
}

SummaryValue session_start_summary(const std::vector<PlainOption>& options, double time) {
  Message info;
  for (const PlainOption& option : options)
    info.message(1, Message().bytes(1, option.path).message(2, plain_value(option.value)));
  info.number(5, time);
  return hparams_summary("session_start_info", Message().message(3, info));
}

SummaryValue session_end_summary(bool is_success, double time) {
  const Message info = Message().varint(1, is_success ? 1 : 2).number(2, time);
  return hparams_summary("session_end_info", Message().message(4, info));
}

std::string summary_event(const SummaryMoment& moment, std::span<const SummaryValue> values) {
  Message summary;
  for (const SummaryValue& value : values) summary.bytes(1, value.bytes);
  return event_at(moment).message(5, summary).text();
}

std::string file_version_event(double time) {
  return Message().number(1, time).bytes(3, "brain.Event:2").text();
}

std::string session_start_event(const SummaryMoment& moment) {
  return event_at(moment).message(7, Message().varint(1, 1)).text();
}

std::string graph_event(const std::vector<LayerFacts>& layers, double time) {
  Message graph;
  for (const LayerFacts& layer : layers) graph.message(1, graph_node(layer));
  graph.message(4, Message().varint(1, 22));  // a version of the graph that readers know
  return event_at({time, 0}).message(4, graph).text();
}

}  // namespace hearth
