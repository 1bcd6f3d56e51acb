// Every metric against scikit-learn or the papers' formulas: with ties, classes without samples,
// weights, masks and scores that are no numbers.
#include <ATen/ops/tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "hearth/config/registry.h"
#include "hearth/config/yaml.h"
#include "hearth/metric/metric.h"
#include "tests/parity/parity.h"

namespace hearth {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double number_of(const Json& json) { return json.is_null() ? kNone : json.get<double>(); }

const Json& metric_truth() {
  static const Json truth = load_parity("metrics.json");
  return truth;
}

// The keys of a case, with their specs.
struct MetricTrial {
  std::unique_ptr<Metric> metric;
  std::vector<at::Tensor> inputs;

  explicit MetricTrial(const Json& one)
      : metric(registry<Metric>().make(
            {one.at("metric"), parse_yaml(one.at("options").dump(), "options")})) {
    std::vector<Spec> specs;
    for (const std::string& key : metric->reads()) {
      const Json& tensor = metric_truth().at("tensors").at(one.at("keys").at(key).get<size_t>());
      std::vector<double> values;
      for (const Json& value : tensor.at("values")) values.push_back(number_of(value));
      const bool is_whole = tensor.at("whole").get<bool>();
      inputs.push_back(at::tensor(values, at::kDouble)
                           .to(is_whole ? at::kLong : at::kFloat)
                           .reshape(tensor.at("shape").get<std::vector<int64_t>>()));
      Spec spec;
      spec.dtype = is_whole ? DType::kInt64 : DType::kFloat32;
      spec.shape = inputs.back().sizes().slice(1).vec();
      spec.classes = tensor.value("classes", 0);
      if (is_whole && spec.classes > 0) spec.role = Role::kClass;
      specs.push_back(spec);
    }
    metric->check(specs);
  }
  // Rows in batches of different sizes.
  void gather() {
    const int64_t rows = inputs[0].size(0);
    for (int64_t begin = 0, size = 1; begin < rows; begin += size, size += 4) {
      std::vector<at::Tensor> batch;
      for (const at::Tensor& input : inputs)
        batch.push_back(input.slice(0, begin, std::min(begin + size, rows)));
      metric->update(batch, {});
    }
  }
};

void expect_number(double found, double expected, const std::string& what) {
  if (std::isnan(expected))
    EXPECT_TRUE(std::isnan(found)) << what << ": " << found;
  else
    EXPECT_NEAR(found, expected, 1e-9 + 1e-9 * std::abs(expected)) << what;
}

TEST(Metrics, GiveTheNumbersOfScikitLearnAndOfThePapers) {
  for (const Json& one : metric_truth().at("cases")) {
    SCOPED_TRACE(one.at("metric").get<std::string>() + " " + one.at("about").get<std::string>() +
                 " " + one.at("options").dump());
    MetricTrial trial(one);
    trial.gather();
    const Measured found = trial.metric->measured();
    if (one.contains("headline"))
      expect_number(found.headline.value(), number_of(one["headline"]), "headline");
    for (const auto& [name, value] : found.numbers)
      if (one.contains("numbers") && one["numbers"].contains(name))
        expect_number(value, number_of(one["numbers"][name]), name);
    if (!one.contains("cells")) continue;
    ASSERT_TRUE(found.table);
    ASSERT_EQ(found.table->cells.size(), one["cells"].size());
    for (size_t i = 0; i < found.table->cells.size(); ++i)
      expect_number(found.table->cells[i], number_of(one["cells"][i]), std::to_string(i));
  }
}

// But those of a whole batch's number, of other metrics, and one of another test.
TEST(Metrics, AreAllTried) {
  std::set<std::string> tried = {"loss",      "running", "expression",
                                 "retrieval", "cmc",     "largest_error"};
  for (const Json& one : metric_truth().at("cases")) tried.insert(one.at("metric"));
  for (const std::string& name : registry<Metric>().names())
    EXPECT_TRUE(tried.contains(name)) << name;
}

}  // namespace
}  // namespace hearth
