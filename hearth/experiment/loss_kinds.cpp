// What a config says of a loss by its name and options alone.
#include "hearth/experiment/loss_kinds.h"

#include <algorithm>
#include <map>
#include <set>

#include "hearth/experiment/rewrite.h"

namespace hearth {
namespace {

const std::set<std::string>& losses_of_values() {
  static const std::set<std::string> names = {
      "mse_loss",     "mae_loss", "huber_loss",       "quantile_loss", "ssim_loss",
      "triplet_loss", "arc_face", "contrastive_loss", "center_loss",   "cos_face",
      "proxy_nca",    "sup_con",  "info_nce",         "cosine_loss"};
  return names;
}

const std::map<std::string, std::string>& own_models() {
  static const std::map<std::string, std::string> names = {{"arc_face", "directions"},
                                                           {"center_loss", "centers"},
                                                           {"cos_face", "directions"},
                                                           {"proxy_nca", "proxies"}};
  return names;
}

bool is_measured(const std::vector<ListedComponent>& metrics, const std::string& key) {
  return std::any_of(metrics.begin(), metrics.end(), [&](const ListedComponent& metric) {
    return text_or(*metric.options, "in", "loss") == key;
  });
}

// The metrics that parts of a sum still need.
std::vector<Node> missing_metrics(Node& config) {
  const std::vector<ListedComponent> metrics = components_named(config, "metrics", "loss");
  std::vector<Node> missing;
  for (const ListedComponent& sum : components_named(config, "network", "sum")) {
    const Node* parts = sum.options->find("parts");
    if (parts == nullptr || !parts->is_map()) continue;
    const std::string total = text_or(*sum.options, "out", "total");
    for (const ListedComponent& metric : metrics) {
      if (text_or(*metric.options, "in", "loss") != total) continue;
      const std::string rows = text_or(*metric.options, "weight_by", "label");
      for (const Node::Entry& part : parts->entries())
        if (!is_measured(metrics, part.key))
          missing.push_back(component("loss",
                                      {{"in", Node::scalar(part.key)},
                                       {"weight_by", Node::scalar(rows)},
                                       {"out", Node::scalar(part.key)}},
                                      part.mark));
    }
  }
  return missing;
}

}  // namespace

ScoreKind score_kind(const Node& loss) {
  if (!loss.is_map() || loss.entries().empty()) return ScoreKind::kClasses;
  const Node::Entry& chosen = loss.entries().front();
  if (losses_of_values().contains(chosen.key)) return ScoreKind::kValues;
  const std::string option = chosen.key == "iou_loss" ? "of" : "form";
  const std::string form = text_or(chosen.value, option, "");
  if (chosen.key == "iou_loss" && (form.empty() || form == "boxes")) return ScoreKind::kValues;
  return chosen.key == "binary_cross_entropy" || form == "binary" ? ScoreKind::kAnswers
                                                                  : ScoreKind::kClasses;
}

std::string own_model_of(const Node& loss) {
  if (!loss.is_map() || loss.entries().empty()) return "";
  const auto known = own_models().find(loss.entries().front().key);
  if (known == own_models().end()) return "";
  return text_or(loss.entries().front().value, "name", known->second);
}

Node with_parts_measured(Node config) {
  for (const char* list : {"network", "metrics"})
    if (!has_value(config, list)) return config;
  const std::vector<Node> missing = missing_metrics(config);
  if (missing.empty()) return config;
  Node& metrics = component_list(config, "metrics");
  for (const Node& metric : missing) metrics.items().push_back(metric);
  return config;
}

}  // namespace hearth
