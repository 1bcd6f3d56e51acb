// Samples with wrong labels have the highest losses, and are found.
#include "hearth/train/traces/worst_samples.h"

#include <ATen/ops/full.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "hearth/base/message_of_test.h"
#include "hearth/core/log_reader.h"
#include "hearth/data/source.h"
#include "hearth/format/csv.h"
#include "hearth/format/png.h"
#include "hearth/train/estimator.h"
#include "hearth/train/ranked_pictures.h"
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

TEST(WorstSamples, DrawsThemWherePicturesAreNamed) {
  ExperimentOptions options = heard_experiment({});
  options.folder = (fs::path(testing::TempDir()) / "worst_runs").string();
  options.train.traces = {traces::worst_samples({.image = "image", .count = 3})};
  const fs::path run = Estimator(options).fit().run_folder;
  const fs::path file = "images/worst_samples.eval/step-4.png";
  EXPECT_GT(load_png(run / file, 3).width, 3 * 100);
  const std::vector<Event> log = read_run_log(run / "log.jsonl");
  EXPECT_TRUE(std::any_of(log.begin(), log.end(), [&](const Event& event) {
    return event.kind == "worst_samples" && event.details.at("picture") == file.string();
  }));
  options.train.traces = {traces::worst_samples({.image = "label"})};
  EXPECT_THAT(message_of<GraphError>([&] { Estimator estimator(options); }),
              testing::HasSubstr("wants pictures in 'label'"));
}

// One that comes again keeps the picture with which it was worst.
TEST(RankedPictures, AreThoseOfTheHighestAndAsLargeAsTheLargest) {
  SampleRanking ranking(2);
  RankedPictures pictures;
  const auto add = [&](const std::vector<int64_t>& samples, const at::Tensor& losses, int64_t side,
                       double gray) {
    std::vector<at::Tensor> rows;
    for (const int64_t sample : samples)
      rows.push_back(at::full({1, side, side}, gray + static_cast<double>(sample)));
    ranking.add(samples, losses, {}, {});
    pictures.keep(ranking.ranked(), {samples, losses, at::stack(rows)}, {});
  };
  add({1, 2, 3}, at::tensor({0.5, 0.9, 0.7}), 2, 10);
  add({2, 3, 4}, at::tensor({0.1, 0.8, 0.2}), 3, 20);
  const at::Tensor shown = pictures.shown(ranking.ranked()).values;
  EXPECT_EQ(shown.sizes(), (std::vector<int64_t>{2, 1, 3, 3}));
  EXPECT_EQ(shown[0][0][1][1].item<double>(), 12) << "the second, as it came first";
  EXPECT_EQ(shown[0][0][2][2].item<double>(), 0) << "filled up";
  EXPECT_EQ(shown[1][0][2][2].item<double>(), 23) << "the third, as it came again";
  EXPECT_EQ(pictures.tensors().size(), 2U) << "and no others";
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
