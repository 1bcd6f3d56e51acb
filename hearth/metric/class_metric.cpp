// Metrics that are functions of how often each class was due, given and right.
#include "hearth/metric/class_metric.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/stack.h>

#include <limits>

namespace hearth {
namespace {

// Each part has a place for every class, and one for what does not count.
struct Parts {
  const double* due;
  const double* given;
  const double* right;
};

double zero_for_nothing(const std::pair<double, double>& share) {
  return share.second == 0 ? 0 : share.first / share.second;
}

// A class that was neither due nor given has no score, and no part in the mean.
std::vector<std::pair<std::string, double>> averages(const std::vector<ClassTally>& classes,
                                                     const ClassScore& score) {
  std::pair<double, double> together = {0, 0};
  double sum = 0;
  double weighted_sum = 0;
  double scored = 0;
  double due = 0;
  for (const ClassTally& one : classes) {
    if (!one.came_up()) continue;
    const std::pair<double, double> share = score.share(one);
    const double value = zero_for_nothing(share);
    ++scored;
    sum += value;
    weighted_sum += value * one.due;
    due += one.due;
    together.first += share.first;
    together.second += share.second;
  }
  return {{"macro", share_of(sum, scored)},
          {"micro", share_of(together.first, together.second)},
          {"weighted", share_of(weighted_sum, due)}};
}

}  // namespace

double share_of(double part, double whole) {
  return whole == 0 ? std::numeric_limits<double>::quiet_NaN() : part / whole;
}

int64_t tally_places(int64_t classes) { return 3 * (classes + 1); }

at::Tensor tally_places_of(const ClassAnswers& answers, int64_t classes) {
  const auto& [label, predicted] = answers;
  const int64_t row = classes + 1;
  const at::Tensor is_right = label.eq(predicted);
  const at::Tensor right = label * is_right + is_right.eq(false) * classes;
  return at::stack({label, predicted + row, right + 2 * row}, 1);
}

std::vector<ClassTally> tallies(const std::vector<double>& counts, int64_t classes) {
  const Parts parts{counts.data(), counts.data() + classes + 1, counts.data() + 2 * (classes + 1)};
  double all = 0;
  for (int64_t i = 0; i < classes; ++i) all += parts.due[i];
  std::vector<ClassTally> found;
  for (int64_t i = 0; i < classes; ++i)
    found.push_back({parts.due[i], parts.given[i], parts.right[i], all});
  return found;
}

std::vector<std::string> average_names() { return {"macro", "micro", "weighted"}; }

std::vector<ClassScore> precision_and_recall() {
  return {
      {"precision", [](const ClassTally& tally) { return std::pair(tally.right, tally.given); }},
      {"recall", [](const ClassTally& tally) { return std::pair(tally.right, tally.due); }}};
}

Measured averaged(const std::vector<ClassTally>& classes, const std::vector<std::string>& names,
                  const std::vector<ClassScore>& scores, const std::string& average) {
  Measured measured;
  measured.numbers = averages(classes, scores.back());
  for (const auto& [name, value] : measured.numbers)
    if (name == average) measured.headline = value;
  Table table{.corner = "class", .rows = names};
  for (const ClassScore& score : scores) table.columns.push_back(score.name);
  table.columns.emplace_back("samples");
  for (const ClassTally& one : classes) {
    for (const ClassScore& score : scores) {
      const std::pair<double, double> share = score.share(one);
      table.cells.push_back(share_of(share.first, one.came_up() ? share.second : 0));
    }
    table.cells.push_back(one.due);
  }
  measured.table = std::move(table);
  return measured;
}

}  // namespace hearth
