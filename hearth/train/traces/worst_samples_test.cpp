// Samples with wrong labels have the highest losses, and are found.
#include "hearth/train/traces/worst_samples.h"

#include <ATen/ops/tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "hearth/base/message_of_test.h"
#include "hearth/core/log_reader.h"
#include "hearth/data/source.h"
#include "hearth/format/csv.h"
#include "hearth/train/estimator.h"
#include "hearth/train/sample_ranking.h"
#include "hearth/train/trace_fixture_test.h"

namespace hearth {
namespace {

const std::set<int64_t> kMislabelled = {5, 17, 42};

struct PlantedOptions {
  static const Schema<PlantedOptions>& schema() {
    static const Schema<PlantedOptions> fields;
    return fields;
  }
};

// Two classes that one number tells apart, and three samples whose label is the other one.
class Planted : public Source {
 public:
  using Options = PlantedOptions;
  explicit Planted(const PlantedOptions&) {}
  [[nodiscard]] std::vector<KeySpec> keys() const override {
    Spec label{.dtype = DType::kInt64, .classes = 2};
    label.class_names = {"cold", "warm"};
    label.role = Role::kClass;
    return {{"image", {.shape = {2}}}, {"label", label}};
  }
  [[nodiscard]] int64_t size() const override { return 64; }
  void read(int64_t index, std::span<const Cell> cells) const override {
    const bool is_warm = index % 2 == 1;
    if (cells[0].is_wanted()) {
      auto* values = reinterpret_cast<float*>(cells[0].take({2}).data);
      values[0] = is_warm ? 1.0F : -1.0F;
      values[1] = 0.01F * static_cast<float>(index % 7);
    }
    if (cells[1].is_wanted()) cells[1].set(int64_t{is_warm != kMislabelled.contains(index)});
  }
  [[nodiscard]] std::string fingerprint() const override { return "planted"; }
  [[nodiscard]] std::string describe(int64_t index) const override {
    return "shelf/" + std::to_string(index) + ".jar";
  }
};

ExperimentOptions planted_experiment(Modes when) {
  registry<Source>().add<Planted>("planted", "Three wrong labels.");
  ExperimentOptions options = heard_experiment({});
  options.folder = (fs::path(testing::TempDir()) / "worst_runs").string();
  options.data.train = choose<Source>("planted", PlantedOptions());
  options.data.eval = choose<Source>("planted", PlantedOptions());
  options.optimizer = optimizers::sgd({.lr = 1});
  options.train.epochs = 3;
  options.train.traces = {traces::worst_samples({.count = 3}).when(when)};
  return options;
}

void expect_found(const fs::path& run, const std::string& set) {
  const auto rows =
      parse_csv(read_file(run / ("tables/worst_samples." + set) / "step-24.csv"), "table");
  ASSERT_EQ(rows.size(), 4U);
  std::set<int64_t> found;
  for (size_t i = 1; i < rows.size(); ++i) {
    const std::vector<std::string>& fields = rows[i].fields;
    found.insert(std::stoll(fields[1]));
    EXPECT_EQ(fields[2], "shelf/" + fields[1] + ".jar");
    EXPECT_NE(fields[3], fields[4]) << "it has a wrong label, so it is taken for the other class";
    EXPECT_TRUE(fields[3] == "warm" || fields[3] == "cold");
  }
  EXPECT_EQ(found, kMislabelled);
}

TEST(WorstSamples, FindsWrongLabelsInEvaluationAndInTraining) {
  for (const Mode mode : {Mode::kEval, Mode::kTrain}) {
    const fs::path run = Estimator(planted_experiment(mode)).fit().run_folder;
    expect_found(run, std::string(name(mode)));
    int64_t events = 0;
    for (const Event& event : read_run_log(run / "log.jsonl")) {
      if (event.kind != "worst_samples") continue;
      ++events;
      EXPECT_EQ(event.details.at("set").get<std::string>(), name(mode));
      EXPECT_EQ(event.details.at("samples").size(), 3U);
    }
    EXPECT_EQ(events, 3);
  }
}

TEST(WorstSamples, RefusesALossOfTheWholeBatch) {
  ExperimentOptions options = planted_experiment(Mode::kEval);
  options.train.traces = {traces::worst_samples({.in = {"loss"}})};
  EXPECT_THAT(message_of<GraphError>([&] { Estimator estimator(options); }),
              testing::HasSubstr("wants a loss for each sample in 'loss'"));
}

TEST(SampleRanking, KeepsTheHighestOnceAndNoNumbersFirst) {
  SampleRanking ranking(3);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  ranking.add(std::vector<int64_t>{4, 2, 9}, at::tensor({0.5, 0.5, 0.1}), {}, {});
  ranking.add(std::vector<int64_t>{2, 7, 8}, at::tensor({0.4, nan, 0.2}), {}, {});
  std::vector<int64_t> samples;
  for (const RankedSample& ranked : ranking.ranked()) samples.push_back(ranked.sample);
  EXPECT_THAT(samples, testing::ElementsAre(7, 2, 4));
}

}  // namespace
}  // namespace hearth
