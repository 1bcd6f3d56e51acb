// Rows that fill up a batch change neither what is learned nor what is measured.
#include <gtest/gtest.h>

#include "hearth/core/log_reader.h"
#include "hearth/data/source.h"
#include "hearth/metric/metrics/classification/accuracy.h"
#include "hearth/metric/metrics/loss.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/batch_norm1d.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/train/estimator.h"
#include "hearth/train/trace_fixture_test.h"

namespace hearth {
namespace {

struct RowsOptions {
  bool is_broken = false;
  static const Schema<RowsOptions>& schema() {
    using O = RowsOptions;
    static const auto fields = Schema<O>().field(&O::is_broken, "is_broken", "Sample 5 fails.");
    return fields;
  }
};

// Two numbers and a class for each of 21 samples.
class Rows : public Source {
 public:
  using Options = RowsOptions;
  explicit Rows(const RowsOptions& options) : options_(options) {}
  [[nodiscard]] std::vector<KeySpec> keys() const override {
    const Spec label{.dtype = DType::kInt64, .classes = 3, .role = Role::kClass};
    return {{"image", {.shape = {2}}}, {"label", label}};
  }
  [[nodiscard]] int64_t size() const override { return 21; }
  void read(int64_t index, std::span<const Cell> cells) const override {
    if (options_.is_broken && index == 5) throw DataError("the ink has faded.");
    if (cells[0].is_wanted()) {
      cells[0].as<float>()[0] = static_cast<float>(index % 5) - 2;
      cells[0].as<float>()[1] = static_cast<float>(index % 7) - 3;
    }
    if (cells[1].is_wanted()) cells[1].set(index % 3);
  }
  [[nodiscard]] std::string fingerprint() const override { return "rows"; }
  [[nodiscard]] std::string describe(int64_t index) const override {
    return "page " + std::to_string(index);
  }

 private:
  RowsOptions options_;
};

// Three batches: 8, 8 and 5 samples.
ExperimentOptions rows_experiment(const std::string& last_batch, int64_t replicas = 1) {
  registry<Source>().add<Rows>("rows", "Two numbers and a class.");
  ExperimentOptions options = heard_experiment({});
  options.folder = (fs::path(testing::TempDir()) / "filler_runs").string();
  options.data.train = choose<Source>("rows", RowsOptions());
  options.data.eval = choose<Source>("rows", RowsOptions());
  options.data.last_batch = last_batch;
  options.replicas = replicas;
  options.metrics = {metrics::loss(), metrics::accuracy()};
  return options;
}

std::map<std::string, double> measured(const ExperimentOptions& options) {
  return Estimator(options, {.keeps_run = false}).fit().metrics;
}

void expect_same(const std::map<std::string, double>& found,
                 const std::map<std::string, double>& expected) {
  ASSERT_EQ(found.size(), 4U);
  for (const auto& [name, value] : expected) EXPECT_NEAR(found.at(name), value, 1e-6) << name;
}

TEST(RealRows, OfALastBatchCountNothingInLossGradientAndMetric) {
  const auto kept = measured(rows_experiment("keep"));
  expect_same(measured(rows_experiment("pad")), kept);
  expect_same(measured(rows_experiment("pad", 2)), kept);
}

// Statistics of a batch would see rows that fill it up, and dropout would draw for them.
TEST(RealRows, AreAllThatLayersSeeInTraining) {
  const auto digest = [](const std::string& last_batch) {
    ExperimentOptions options = rows_experiment(last_batch);
    options.model =
        layers::sequential({{layers::linear({.out_features = 4}), layers::batch_norm1d(),
                             layers::dropout(), layers::linear()}});
    Estimator estimator(options, {.keeps_run = false});
    (void)estimator.fit();
    return estimator.state_digest();
  };
  EXPECT_EQ(digest("pad"), digest("keep"));
}

TEST(RealRows, AreNotShownToTraces) {
  ExperimentOptions options = rows_experiment("pad");
  std::vector<int64_t> rows;
  options.train.traces = {
      ear({.interests = {{.on = Occasion::kBatchEnd}},
           .keys = {"logits", "label"},
           .act = [&](const Happening& happening, RunControl&) {
             ASSERT_EQ(happening.values[0].size(0), happening.values[1].size(0));
             rows.push_back(happening.values[0].size(0));
             EXPECT_EQ(static_cast<int64_t>(happening.samples.size()), rows.back());
           }})};
  options.train.epochs = 1;
  (void)measured(options);
  EXPECT_EQ(std::vector<int64_t>(rows.begin(), rows.begin() + 3), (std::vector<int64_t>{8, 8, 5}));
}

TEST(RealRows, StandForSamplesThatCannotBeReadWhichTheLogLists) {
  ExperimentOptions options = rows_experiment("keep");
  options.data.train = choose<Source>("rows", RowsOptions{.is_broken = true});
  options.data.on_error = "mask";
  Estimator estimator(options);
  const Report report = estimator.fit();
  int listed = 0;
  for (const Event& event : read_run_log(fs::path(report.run_folder) / "log.jsonl")) {
    if (event.kind == "epoch") {
      EXPECT_EQ(event.values.back().first, "masked");
      EXPECT_EQ(event.values.back().second, 1);
    }
    if (event.kind != "failed_sample") continue;
    ++listed;
    EXPECT_EQ(event.details.at("name"), "page 5");
    EXPECT_NE(event.details.at("reason").get<std::string>().find("the ink has faded."),
              std::string::npos);
  }
  EXPECT_EQ(listed, 2);
}

}  // namespace
}  // namespace hearth
