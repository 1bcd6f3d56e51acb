// What traces write of samples: tables, pictures and files with what the network makes of them.
#include <ATen/ops/arange.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "hearth/base/files.h"
#include "hearth/base/message_of_test.h"
#include "hearth/core/log_reader.h"
#include "hearth/format/csv.h"
#include "hearth/format/drawing.h"
#include "hearth/format/npy.h"
#include "hearth/format/png.h"
#include "hearth/train/confusion_picture.h"
#include "hearth/train/estimator.h"
#include "hearth/train/sample_history.h"
#include "hearth/train/sample_pictures.h"
#include "hearth/train/trace_fixture_test.h"
#include "hearth/train/traces/confusion_matrix.h"
#include "hearth/train/traces/embedding_saver.h"
#include "hearth/train/traces/image_saver.h"
#include "hearth/train/traces/instance_tracker.h"

namespace hearth {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

fs::path run_with(std::vector<Choice<Trace>> traces) {
  ExperimentOptions options = heard_experiment({});
  options.folder = (fs::path(testing::TempDir()) / "sample_traces_runs").string();
  options.train.traces = std::move(traces);
  return Estimator(options).fit().run_folder;
}

TEST(ConfusionMatrix, CountsAsTheMetricDoesAndDrawsIt) {
  const fs::path run = run_with({traces::confusion_matrix()});
  const auto rows = parse_csv(read_file(run / "tables/confusion.eval/step-4.csv"), "table");
  ASSERT_EQ(rows.size(), 4U);
  int64_t all = 0;
  for (size_t i = 1; i < 4; ++i)
    for (size_t j = 1; j < 4; ++j) all += std::stoll(rows[i].fields[j]);
  EXPECT_EQ(all, 8);
  EXPECT_GT(load_png(run / "images/confusion.eval/step-4.png", 3).width, 3 * 44);
  const std::vector<Event> log = read_run_log(run / "log.jsonl");
  const auto event = std::find_if(
      log.begin(), log.end(), [](const Event& each) { return each.kind == "confusion_matrix"; });
  ASSERT_NE(event, log.end());
  EXPECT_EQ(event->details.at("table").get<std::string>(), "tables/confusion.eval/step-2.csv");
}

TEST(ConfusionPicture, IsDarkWhereTheSharesAre) {
  const ConfusionCounts counts{{"cat", "dog"}, {90, 10, 0, 7}};
  EXPECT_DOUBLE_EQ(counts.recall(0), 0.9);
  EXPECT_DOUBLE_EQ(counts.right_share(), 97.0 / 107.0);
  const Image picture = drawn_confusion(counts, "eval, step 1");
  const auto brightness = [&](int64_t row, int64_t column) {
    constexpr int64_t kCell = 44, kLeft = 12 + 8 + 8 + 18 + 6;  // the words and the names
    const int64_t x = kLeft + column * kCell + 5, y = picture.height - 12 - (2 - row) * kCell + 5;
    return picture.pixels[static_cast<size_t>((y * picture.width + x) * 3)];
  };
  EXPECT_LT(brightness(0, 0), brightness(0, 1));
  EXPECT_LT(brightness(0, 1), 255);
  EXPECT_EQ(brightness(1, 0), 255);
  EXPECT_LT(brightness(1, 1), brightness(0, 0));
}

TEST(SampleHistory, KnowsTheHardestAndTheForgotten) {
  SampleHistory history(5);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<int64_t> samples = {0, 1, 2, 4};
  history.add(samples, at::tensor({0.5, 3.0, 1.0, 0.1}), at::tensor({1, 0, 1, 1}).to(at::kBool));
  history.add(samples, at::tensor({2.0, 2.5, 1.0, nan}), at::tensor({0, 0, 1, 0}).to(at::kBool));
  EXPECT_THAT(history.hardest(3), ElementsAre(4, 1, 0));
  EXPECT_THAT(history.forgotten(3), ElementsAre(4, 0));
  EXPECT_TRUE(std::isnan(history.losses()[3])) << "it was never seen";
  EXPECT_THAT(message_of<DataError>([] { SampleHistory huge(1'000'000'000'000); }),
              HasSubstr("1,000,000,000,000 samples is too large to follow each"));
}

TEST(InstanceTracker, WritesTheLossOfEverySample) {
  const fs::path run = run_with({traces::instance_tracker({.count = 2}).when(Mode::kTrain)});
  const std::string file = read_file(run / "files/instances.train/step-4.npy");
  const NpyHeader header = parse_npy_header(file, file.size(), "file");
  EXPECT_THAT(header.shape, ElementsAre(16));
  const auto rows = parse_csv(read_file(run / "tables/instances.train/step-4.csv"), "table");
  ASSERT_GE(rows.size(), 3U);
  EXPECT_EQ(rows[1].fields[0], "hardest");
  EXPECT_GE(std::stod(rows[1].fields[1]), std::stod(rows[2].fields[1]));
  const auto sample = static_cast<size_t>(std::stoll(rows[1].fields[3]));
  float loss = 0;
  std::memcpy(&loss, file.data() + header.data_begin + sample * 4, 4);
  EXPECT_NEAR(loss, std::stod(rows[1].fields[1]), 1e-5);
}

TEST(EmbeddingSaver, WritesRowsForNumPyAndForAProjector) {
  const fs::path run =
      run_with({traces::embedding_saver({.in = "logits", .label = "label", .count = 5})});
  const std::string stem = (run / "files/embeddings.eval/step-4").string();
  const std::string file = read_file(stem + ".npy");
  EXPECT_THAT(parse_npy_header(file, file.size(), "file").shape, ElementsAre(5, 3));
  const auto vectors = parse_csv(read_file(stem + ".vectors.tsv"), "tsv", '\t');
  ASSERT_EQ(vectors.size(), 5U);
  EXPECT_EQ(vectors[0].fields.size(), 3U);
  const auto metadata = parse_csv(read_file(stem + ".metadata.tsv"), "tsv", '\t');
  ASSERT_EQ(metadata.size(), 6U);
  EXPECT_THAT(metadata[0].fields, ElementsAre("label", "name", "sample"));
  EXPECT_EQ(metadata[5].fields[2], "4");
}

TEST(ImageSaver, DrawsTheSameSamplesAfterEachEvaluation) {
  const fs::path run = run_with({traces::image_saver({.count = 4})});
  const Image first = load_png(run / "images/samples.eval/step-2.png", 3);
  const Image second = load_png(run / "images/samples.eval/step-4.png", 3);
  EXPECT_EQ(first.width, second.width);
  EXPECT_GT(first.width, 4 * 100);
}

ShownValue shown(at::Tensor values, Role role = Role::kPlain) {
  ShownValue value{std::move(values), {}};
  value.spec.role = role;
  return value;
}

// A point of the picture, of the only sample, in a panel by its number.
Color point(const Image& sheet, int64_t panel, int64_t x, int64_t y) {
  constexpr int64_t kSide = 112, kTop = 2 * 8 + 2 * 8 + 8 + 4;
  const int64_t at = ((kTop + y) * sheet.width + 8 + panel * (kSide + 2) + x) * 3;
  const uint8_t* own = &sheet.pixels[static_cast<size_t>(at)];
  return {own[0], own[1], own[2]};
}

TEST(SamplePictures, TintsMasksAndDrawsFrames) {
  const ShownValue image = shown(at::zeros({1, 1, 4, 4}), Role::kImage);
  at::Tensor mask = at::zeros({1, 4, 4}, at::kLong);
  mask[0][0][0].fill_(1);
  at::Tensor scores = at::zeros({1, 2, 4, 4});
  scores[0][1][3][3].fill_(5);
  const Image masked = drawn_samples(image, shown(mask, Role::kMask), shown(scores), "eval");
  EXPECT_EQ(point(masked, 0, 5, 5), (Color{0, 0, 0}));
  EXPECT_EQ(point(masked, 1, 5, 5), mixed({0, 0, 0}, class_color(0), 0.55));
  EXPECT_EQ(point(masked, 1, 90, 90), (Color{0, 0, 0}));
  EXPECT_EQ(point(masked, 2, 90, 90), mixed({0, 0, 0}, class_color(0), 0.55));
  const at::Tensor boxes = at::tensor({0.0, 0.0, 2.0, 2.0, 0.0, 0.0, 0.0, 0.0}).reshape({1, 2, 4});
  const Image framed = drawn_samples(image, shown(boxes, Role::kBoxes), {}, "eval");
  EXPECT_EQ(point(framed, 1, 0, 0), class_color(0));
  EXPECT_EQ(point(framed, 1, 56, 20), class_color(0));
  EXPECT_EQ(point(framed, 1, 20, 20), (Color{0, 0, 0}));
}

}  // namespace
}  // namespace hearth
