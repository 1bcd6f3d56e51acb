// Work on a trained model that the processes of `hearth launch` share.
#include "cli/engine/shared_predictions.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "hearth/cluster/join.h"
#include "hearth/launch/rank_process.h"
#include "hearth/network/tensor_packet.h"

namespace hearth::cli {
namespace {

Json to_be_sent(const PredictedValue& value) {
  Json scores = Json::array();
  for (const ClassScore& score : value.scores) scores.push_back({score.name, score.probability});
  Json boxes = nullptr;
  if (value.boxes) {
    boxes = Json::array();
    for (const FoundBox& box : *value.boxes)
      boxes.push_back({box.name, box.score, box.left, box.top, box.right, box.bottom});
  }
  return {value.key,   static_cast<int>(value.role),
          value.shape, value.values,
          scores,      value.classes,
          boxes,       value.class_names};
}

PredictedValue received_value(const Json& sent) {
  PredictedValue value;
  value.key = sent.at(0).get<std::string>();
  value.role = static_cast<Role>(sent.at(1).get<int>());
  value.shape = sent.at(2).get<std::vector<int64_t>>();
  value.values = sent.at(3).get<std::vector<double>>();
  for (const Json& score : sent.at(4))
    value.scores.push_back({score.at(0).get<std::string>(), score.at(1).get<double>()});
  value.classes = sent.at(5).get<std::vector<int64_t>>();
  if (!sent.at(6).is_null()) value.boxes.emplace();
  for (const Json& box : sent.at(6)) {
    const auto number = [&](size_t at) { return box.at(at).get<double>(); };
    value.boxes->push_back(
        {box.at(0).get<std::string>(), number(1), number(2), number(3), number(4), number(5)});
  }
  value.class_names = sent.at(7).get<std::vector<std::string>>();
  return value;
}

Json to_be_sent(const std::vector<Prediction>& predictions) {
  Json all = Json::array();
  for (const Prediction& prediction : predictions) {
    Json outputs = Json::array();
    for (const PredictedValue& value : prediction.outputs) outputs.push_back(to_be_sent(value));
    all.push_back({prediction.input, std::move(outputs), prediction.notes, prediction.error});
  }
  return all;
}

void add_received(const Json& sent, std::vector<Prediction>& predictions) {
  for (const Json& each : sent) {
    Prediction prediction;
    prediction.input = each.at(0).get<std::string>();
    for (const Json& value : each.at(1)) prediction.outputs.push_back(received_value(value));
    prediction.notes = each.at(2).get<std::vector<std::string>>();
    prediction.error = each.at(3).get<std::string>();
    predictions.push_back(std::move(prediction));
  }
}

}  // namespace

std::shared_ptr<Group> launched_group() {
  return is_launched_rank() ? own_group() : std::make_shared<Group>();
}

std::vector<Prediction> predict_shared(
    Group& group, size_t count, size_t batch_size,
    const std::function<std::vector<Prediction>(size_t first, size_t count)>& predict) {
  if (group.size() == 1) return predict(0, count);
  const size_t batches = (count + batch_size - 1) / batch_size;
  const auto first_of = [&](int rank) {
    const size_t batch = batches * static_cast<size_t>(rank) / static_cast<size_t>(group.size());
    return std::min(batch * batch_size, count);
  };
  const size_t first = first_of(group.rank());
  const size_t end = first_of(group.rank() + 1);
  std::vector<Prediction> own;
  if (first < end) own = predict(first, end - first);
  std::vector<Prediction> all;
  const at::Tensor bytes = TensorPacket{{}, to_be_sent(own)}.bytes();
  for (const at::Tensor& sent : group.gather_to_first("predictions", bytes))
    add_received(TensorPacket::of(sent).values, all);
  return all;
}

}  // namespace hearth::cli
