// A survey finds what was put into the data.
#include "hearth/survey/data_survey.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/config/registry.h"
#include "hearth/data/ops/image/normalize.h"
#include "hearth/data/ops/table/impute.h"
#include "hearth/data/ops/table/standardize.h"
#include "hearth/data/sources/csv.h"
#include "hearth/data/sources/digits.h"
#include "hearth/data/sources/image_folder.h"
#include "hearth/format/png.h"

namespace hearth {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Images of one channel, 2 x 2 points or 2 x 3, whose points are 10 times the sample's number.
class Squares : public Source {
 public:
  std::vector<KeySpec> keys() const override {
    Spec image{.dtype = DType::kUint8, .shape = {2, kAnyLength, 1}, .role = Role::kImage};
    Spec price{.dtype = DType::kFloat32};
    Spec label{.dtype = DType::kInt64, .classes = 3, .class_names = {"a", "<b>", "c"}};
    label.role = Role::kClass;
    return {{"image", image}, {"price", price}, {"label", label}};
  }
  int64_t size() const override { return 6; }
  void read(int64_t index, std::span<const Cell> cells) const override {
    if (index == 4) throw DataError("the file is <cut> short.");
    const int64_t tone = index == 5 ? 0 : index;  // the last is the first again
    if (cells[0].is_wanted())
      for (uint8_t& point : cells[0].take({2, 2 + tone % 2, 1}).as<uint8_t>())
        point = static_cast<uint8_t>(10 * tone);
    if (cells[1].is_wanted())
      cells[1].set(tone == 2 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(tone));
    if (cells[2].is_wanted()) cells[2].set(index % 2);
  }
  std::string fingerprint() const override { return "squares"; }
  std::string describe(int64_t index) const override { return "square " + std::to_string(index); }
};

SurveyedSet squares(const std::string& name) {
  return {name, {.source = std::make_shared<Squares>(), .samples = 100, .workers = 1}};
}

TEST(DataSurvey, CountsWhatKeysHold) {
  const DataSurvey survey = survey_data({squares("train")});
  const SetSurvey& set = survey.sets.at(0);
  EXPECT_EQ(set.looked_at, 6);
  const KeySurvey& image = set.keys.at(0);
  EXPECT_EQ(image.lengths().at(0).least(), 2);
  EXPECT_EQ(image.lengths().at(0).most(), 3);
  EXPECT_EQ(image.numbers().at(0).most(), 30);
  EXPECT_EQ(image.numbers().at(0).count(), 3 * 4 + 2 * 6);
  EXPECT_DOUBLE_EQ(image.numbers().at(0).mean(), (4 * 20 + 6 * 10 + 6 * 30) / 24.0);
  EXPECT_EQ(set.keys.at(1).numbers().at(0).missing(), 1);
  EXPECT_THAT(set.keys.at(2).classes(), ElementsAre(2, 3, 0));
}

TEST(DataSurvey, NamesBrokenAndEqualSamplesWithinAndBetweenSets) {
  const DataSurvey survey = survey_data({squares("train"), squares("eval")});
  EXPECT_EQ(survey.sets.at(0).broken.at(0).name, "square 4");
  EXPECT_EQ(survey.sets.at(0).broken.at(0).reason, "source: the file is <cut> short.");
  EXPECT_EQ(survey.duplicates.exact_within, 1);
  EXPECT_EQ(survey.duplicates.exact_across, 5);
  // What lies on both sides comes first.
  EXPECT_THAT(survey.duplicate_names.at(0), ElementsAre("train: square 0", "eval: square 0"));
  EXPECT_THAT(survey.duplicate_names.at(5), ElementsAre("train: square 0", "train: square 5"));
}

TEST(DataSurvey, DecodesPicturesThatNoOpDecodes) {
  const fs::path folder = fs::path(testing::TempDir()) / "undecoded";
  fs::remove_all(folder);
  const std::string whole = encode_png({2, 1, 3, {0, 51, 102, 102, 51, 204}});
  make_folder(folder / "a");
  write_file_durably(folder / "a" / "cut.png", whole.substr(0, whole.size() / 2));
  write_file_durably(folder / "a" / "whole.png", whole);
  const std::shared_ptr<Source> source =
      registry<Source>().make(sources::image_folder({.folder = folder.string()}));
  source->open();
  const DataSurvey survey = survey_data({{"train", {.source = source, .samples = 9}}});
  const SetSurvey& set = survey.sets.at(0);
  ASSERT_EQ(set.broken.size(), 1U);
  EXPECT_EQ(set.broken.at(0).name, "a/cut.png");
  EXPECT_EQ(set.keys.at(0).numbers().at(1).mean(), 51);
  EXPECT_GT(set.before.width, 0);
  EXPECT_EQ(set.final_keys.at(0).spec.role, Role::kEncodedImage);
  fs::remove_all(folder);
}

TEST(DataSurvey, SaysItAsTextJsonAndAPageWithoutForeignMarkup) {
  const DataSurvey survey = survey_data({squares("train")});
  EXPECT_THAT(survey.text(), HasSubstr("classes  a 2, <b> 3, c 0"));
  EXPECT_THAT(survey.text(), HasSubstr("broken samples: 1"));
  EXPECT_EQ(survey.to_json()["sets"][0]["keys"][2]["classes"], Json({2, 3, 0}));
  EXPECT_THAT(survey.page(), HasSubstr("&lt;cut&gt;"));
  EXPECT_THAT(survey.page(), testing::Not(HasSubstr("<cut>")));
}

TEST(DataSurvey, LooksAtEachColumnOfATableBeforeItIsScaledAndFilledIn) {
  const std::shared_ptr<Source> source = registry<Source>().make(
      sources::csv({.file = {HEARTH_SOURCE_DIR "/examples/houses.csv"}, .target = {"price"}}));
  source->open();
  const WalkRequest walk{.source = source,
                         .ops = {sample_ops::standardize({.mean = {0}, .std = {2}}),
                                 sample_ops::impute({.values = {0}})},
                         .samples = 1'000'000};
  const DataSurvey survey = survey_data({{"train", walk}});
  const KeySurvey& features = survey.sets.at(0).keys.at(0);
  ASSERT_EQ(features.numbers().size(), 4U);
  EXPECT_EQ(features.title_of_numbers(1), "area");
  EXPECT_GT(features.numbers().at(1).missing(), 0);
  EXPECT_GT(features.numbers().at(1).least(), 10);
  EXPECT_THAT(survey.text(), HasSubstr("    rooms    "));
  EXPECT_THAT(survey.text(), HasSubstr("classes  (missing) "));
}

TEST(KeySurvey, DoubtsCategoriesThatAreNumbers) {
  const auto doubt = [](const std::vector<std::string>& names) {
    Spec spec{.dtype = DType::kInt64, .role = Role::kTokens};
    spec.classes = static_cast<int64_t>(names.size());
    spec.class_names = names;
    return KeySurvey({"size", spec}).doubt();
  };
  EXPECT_EQ(doubt({"(missing)", "1", "2.5", "x3"}),
            "most of these are numbers, but not 'x3'. Say columns: {size: number}, and name under "
            "missing what stands for none.");
  EXPECT_THAT(doubt({"(missing)", "x", "1,5", "2"}), HasSubstr("with a comma, such as '1,5'"));
  EXPECT_EQ(doubt({"(missing)", "3", "B 2", "Bonn"}), "");
  EXPECT_EQ(doubt({"(missing)", "1", "2"}), "");  // as the config wants it
}

TEST(DataSurvey, GivesTheNumbersThatNormalizeTakes) {
  const std::shared_ptr<Source> source =
      registry<Source>().make(sources::digits({.split = "train"}));
  source->open();
  const WalkRequest walk{.source = source,
                         .ops = {sample_ops::normalize({.key = "image", .mean = {9}})},
                         .samples = 1'000'000};
  const DataSurvey survey = survey_data({{"train", walk}});
  const std::string line = survey.sets.at(0).keys.at(0).normalize_line();
  EXPECT_THAT(line, HasSubstr("normalize: {key: image, mean: 0.30"));
  EXPECT_THAT(line, HasSubstr("std: 0.37"));
  EXPECT_EQ(survey.sets.at(0).final_keys.at(0).spec.dtype, DType::kFloat32);
  EXPECT_GT(survey.sets.at(0).before.width, 0);
}

TEST(NumberSummary, IsExactAndKeepsAShapeOfManyNumbers) {
  NumberSummary summary;
  for (int i = 0; i < 100'000; ++i) summary.add(i);
  summary.add(std::numeric_limits<double>::infinity());
  EXPECT_EQ(summary.count(), 100'000);
  EXPECT_EQ(summary.infinite(), 1);
  EXPECT_NEAR(summary.mean(), 49'999.5, 1e-6);
  EXPECT_NEAR(summary.deviation(), 28'867.513, 0.01);
  EXPECT_NEAR(summary.quantile(0.5), 50'000, 100);
  const auto bins = summary.histogram(4);
  for (const int64_t bin : bins) EXPECT_NEAR(static_cast<double>(bin) / bins[0], 1, 0.01);
}

TEST(Duplicates, FindsPicturesThatDifferInThreeBitsButNotInFour) {
  const auto printed = [](int64_t sample, uint64_t print) {
    return PrintedSample{
        .sample = sample, .exact = {static_cast<uint64_t>(sample), 1}, .picture = print};
  };
  const uint64_t base = 0x0123456789abcdef;
  EXPECT_EQ(
      find_duplicates({printed(0, base), printed(1, base ^ 0x0001000100010000)}, 9).near_within, 1);
  EXPECT_EQ(
      find_duplicates({printed(0, base), printed(1, base ^ 0x0001000100010001)}, 9).near_within, 0);
}

}  // namespace
}  // namespace hearth
