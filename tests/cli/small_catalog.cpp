// Prints a small catalog that never changes, for tests of the command line.
#include <iostream>
#include <nlohmann/json.hpp>

#include "hearth/config/catalog.h"
#include "hearth/config/schema.h"
#include "hearth/experiment/options.h"
#include "hearth/schedule/schedule.h"

namespace hearth {
namespace {

template <class T>
Field field(const std::string& name, const std::string& help, const T& value) {
  return {name, help, TypeOf<T>::type(), TypeOf<T>::write(value), false};
}

Field key(const std::string& name, const std::string& value) {
  return field(name, "A key.", value);
}

Field positive(Field field) {
  above(0).apply(field);
  return field;
}

KindInfo kind(const std::string& name, const std::string& help, const std::string& place,
              std::vector<ComponentInfo> components) {
  KindInfo kind{name, help, place, {}, false, std::move(components)};
  if (name.ends_with("_op")) kind.shared = node_fields();
  return kind;
}

std::vector<KindInfo> data_kinds() {
  const Field split = field("split", "Which part of it.", std::string("train"));
  const Field batch = positive(field("std", "What it is divided by.", 1.0));
  return {kind("source", "Where samples come from.", "data.train",
               {{"digits", "Small handwritten digits.", {{split}}}}),
          kind("sample_op", "Ops on one sample.", "data.ops",
               {{"normalize", "Subtracts a mean.", {{key("key", "image"), batch}}}}),
          kind("batch_op", "Ops on whole batches.", "data.batch_ops",
               {{"mixup", "Blends samples.", {{key("key", "image")}}}}),
          kind("order", "In which order samples come.", "data.order",
               {{"shuffled", "Each epoch another order.", {}}})};
}

std::vector<KindInfo> model_kinds() {
  Field rate = field("lr", "Learning rate.", Scheduled(0.001));
  at_least(0).apply(rate);
  const Field peak = field("peak", "The highest value.", 0.001);
  return {kind("layer", "What models are made of.", "model",
               {{"lenet", "Two convolutions.", {}}, {"linear", "A weighted sum.", {}}}),
          kind("optimizer", "What updates parameters.", "optimizer",
               {{"adamw", "Adam with decoupled weight decay.", {{rate}}}}),
          kind("schedule", "Numbers that change over time.", "optimizer.adamw.lr",
               {{"cosine", "Half a cosine.", {{peak}}}})};
}

std::vector<KindInfo> network_kinds() {
  const Field in = key("in", "logits");
  const Field keys = field("in", "Keys.", std::vector<std::string>{"logits", "label"});
  return {kind("network_op", "Ops on one batch.", "network",
               {{"call", "Calls a model.", {{key("model", "net"), in, key("out", "logits")}}},
                {"cross_entropy", "A loss.", {{keys, key("out", "loss")}}},
                {"softmax", "Probabilities.", {{in, key("out", "probability")}}},
                {"update", "Steps.", {{key("model", "net"), key("loss", "loss")}}}}),
          kind("exchange", "How gradients travel.", "exchange", {{"exact", "As they are.", {}}}),
          kind("metric", "What is measured.", "metrics",
               {{"accuracy", "Share of right answers.", {{keys, key("out", "accuracy")}}},
                {"loss", "Mean loss.", {{in, key("weight_by", "label"), key("out", "loss")}}}}),
          kind("trace", "Observers of the training.", "train.traces",
               {{"best_model", "Keeps the best.", {{key("monitor", "eval/loss")}}}})};
}

Catalog small_catalog() {
  Catalog catalog;
  catalog.experiment = ExperimentOptions::schema().info();
  for (const auto& kinds : {data_kinds(), model_kinds(), network_kinds()})
    catalog.kinds.insert(catalog.kinds.end(), kinds.begin(), kinds.end());
  return catalog;
}

}  // namespace
}  // namespace hearth

int main() { std::cout << hearth::small_catalog().to_json().dump() << "\n"; }
