// Cleaning data: what each step drops, and the description that is left.
#include "hearth/data/cleaner.h"

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/path.h"
#include "hearth/config/registry.h"
#include "hearth/config/yaml.h"
#include "hearth/data/clean_writer.h"
#include "hearth/data/column.h"
#include "hearth/data/sources/selection.h"

namespace hearth {
namespace {

struct DirtyOptions {
  int64_t first = 0;
  int64_t size = 40;
  static const Schema<DirtyOptions>& schema() {
    using O = DirtyOptions;
    static const auto schema =
        Schema<O>().field(&O::first, "first", "The first id.").field(&O::size, "size", "Samples.");
    return schema;
  }
};

// Id 3 holds NaN, 5 cannot be read, 7 is equal to 6; every fourth is of class 1.
class Dirty : public Source {
 public:
  using Options = DirtyOptions;
  explicit Dirty(Options options) : options_(options) {}
  std::vector<KeySpec> keys() const override {
    return {{"x", {.dtype = DType::kFloat32, .shape = {2}}},
            {"label", {.dtype = DType::kInt64, .classes = 2, .role = Role::kClass}}};
  }
  int64_t size() const override { return options_.size; }
  void read(int64_t index, std::span<const Cell> cells) const override {
    const int64_t id = options_.first + index;
    if (cells[0].is_wanted()) {
      if (id == 5) throw DataError("the bytes are damaged.");
      cells[0].as<float>()[0] = id == 3 ? std::nanf("") : static_cast<float>(id);
      if (id == 7) cells[0].as<float>()[0] = 6;
      cells[0].as<float>()[1] = 0;
    }
    if (cells[1].is_wanted()) cells[1].set(int64_t{id % 4 == 0});
  }
  std::string fingerprint() const override { return "dirty"; }
  std::string describe(int64_t index) const override {
    return "d" + std::to_string(options_.first + index);
  }

 private:
  Options options_;
};

Choice<Source> dirty(const DirtyOptions& options) {
  registry<Source>().add<Dirty>("dirty", "For tests.");
  return choose<Source>("dirty", options);
}

Cleaned cleaned(const std::vector<CleanStep>& steps, std::vector<CleanSet> sets = {}) {
  if (sets.empty()) sets = {{"train", dirty({})}};
  return clean(std::move(sets), {.steps = steps});
}

std::string fault_of(const std::vector<CleanStep>& steps) {
  return message_of<Error>([&] { (void)cleaned(steps); });
}

bool holds(const CleanSet& set, int64_t sample) {
  return std::find(set.samples.begin(), set.samples.end(), sample) != set.samples.end();
}

const CleanStep kDropCorrupt{.drop_corrupt = DropCorruptStep{}};
const CleanStep kDropMissing{.drop_missing = DropMissingStep{}};
const CleanStep kDropDuplicates{.drop_duplicates = DropDuplicatesStep{}};

TEST(Cleaner, DropsWhatIsCorruptMissingOrEqual) {
  const Cleaned done = cleaned({kDropCorrupt, kDropMissing, kDropDuplicates});
  EXPECT_EQ(done.sets[0].samples.size(), 37U);
  for (const int64_t dropped : {3, 5, 7}) EXPECT_FALSE(holds(done.sets[0], dropped));
  ASSERT_EQ(done.records.size(), 3U);
  EXPECT_EQ(done.records[0].changes[0].examples[0], "d5: the bytes are damaged.");
  EXPECT_EQ(done.records[1].changes[0].examples[0], "d3: holds NaN");
  EXPECT_EQ(done.records[2].changes[0].examples[0], "d7: equal to train d6");
  EXPECT_EQ(done.records[2].changes[0].before, 38);
  EXPECT_EQ(done.records[2].changes[0].after, 37);
}

TEST(Cleaner, DropsFromTrainWhatIsInEval) {
  const std::vector<CleanSet> sets = {{"train", dirty({.first = 10})},
                                      {"eval", dirty({.first = 40, .size = 20})}};
  const Cleaned done = cleaned({kDropDuplicates}, sets);
  EXPECT_EQ(done.sets[0].samples.size(), 30U);
  EXPECT_EQ(done.sets[1].samples.size(), 20U);
  EXPECT_EQ(cleaned({{.drop_duplicates = DropDuplicatesStep{.across = false}}}, sets)
                .sets[0]
                .samples.size(),
            40U);
}

// Pictures of stripes; of each the next one is a little brighter, and every fourth has others.
class Stripes : public Source {
 public:
  struct Options {
    static const Schema<Options>& schema() {
      static const Schema<Options> schema;
      return schema;
    }
  };
  explicit Stripes(const Options&) {}
  std::vector<KeySpec> keys() const override {
    return {{"image", {.dtype = DType::kUint8, .shape = {40, 45, 1}, .role = Role::kImage}}};
  }
  int64_t size() const override { return 8; }
  void read(int64_t index, std::span<const Cell> cells) const override {
    const auto points = cells[0].as<uint8_t>();
    for (size_t i = 0; i < points.size(); ++i) {
      const auto column = static_cast<int64_t>(i % 45) / 5;
      const bool is_bright = index < 4 ? column % 2 == 0 : column % 3 == 0;
      points[i] = static_cast<uint8_t>((is_bright ? 200 : 50) + index);
    }
  }
  std::string fingerprint() const override { return "stripes"; }
  std::string describe(int64_t index) const override { return "s" + std::to_string(index); }
};

TEST(Cleaner, DropsPicturesThatLookLikeEarlierOnesWhenAsked) {
  registry<Source>().add<Stripes>("stripes", "For tests.");
  const std::vector<CleanSet> sets = {{"train", choose<Source>("stripes", Stripes::Options{})}};
  EXPECT_EQ(cleaned({kDropDuplicates}, sets).sets[0].samples.size(), 8U);
  const Cleaned near = cleaned({{.drop_duplicates = DropDuplicatesStep{.near = true}}}, sets);
  EXPECT_EQ(near.sets[0].samples, (std::vector<int64_t>{0, 4}));
  EXPECT_EQ(near.records[0].changes[0].examples.at(0), "s1: similar to train s0");
}

TEST(Cleaner, BalancesAndSplits) {
  const Cleaned dropped = cleaned({{.balance = BalanceStep{}}});
  EXPECT_EQ(dropped.sets[0].samples.size(), 20U);
  const Cleaned parts = cleaned(
      {{.split = SplitStep{.stratify = "label"}}, {.balance = BalanceStep{.how = "repeat"}}});
  ASSERT_EQ(parts.sets.size(), 2U);
  EXPECT_EQ(parts.sets[0].name, "eval");
  EXPECT_EQ(parts.sets[0].samples.size(), 8U);
  EXPECT_EQ(parts.sets[1].samples.size(), 48U);
  for (const int64_t sample : parts.sets[0].samples) EXPECT_FALSE(holds(parts.sets[1], sample));
}

TEST(Cleaner, ClampsNumbers) {
  const Cleaned done =
      cleaned({kDropCorrupt, {.clamp = ClampStep{.key = "x", .low = 2, .high = 10}}});
  std::vector<float> row(2);
  const std::vector<KeySpec> keys = done.sets[0].source->keys();
  const std::vector<Cell> cells = {Cell(reinterpret_cast<std::byte*>(row.data()), keys[0].spec),
                                   Cell()};
  done.sets[0].source->read(30, cells);
  EXPECT_EQ(row, (std::vector<float>{10, 2}));
}

TEST(Cleaner, SaysWhatDoesNotFit) {
  EXPECT_EQ(fault_of({kDropDuplicates}),
            "drop_duplicates: d5: the bytes are damaged. Put drop_corrupt before it.");
  EXPECT_EQ(fault_of({{.drop_missing = DropMissingStep{.keys = {"label"}}}}),
            "drop_missing: key 'label' is int64 [B], 2 classes, which is never NaN.");
  EXPECT_EQ(fault_of({{.drop_missing = DropMissingStep{.sets = {"trian"}}}}),
            "drop_missing: there is no set 'trian'. Did you mean 'train'?");
  EXPECT_EQ(fault_of({{.balance = BalanceStep{.how = "repeat"}}, {.split = SplitStep{}}}),
            "split: put it before the balance that repeats samples, so that none lies in two "
            "parts.");
}

TEST(CleanWriter, WritesADescriptionThatOpensToTheSameSamples) {
  const fs::path folder = fs::path(testing::TempDir()) / "cleaned_data";
  fs::remove_all(folder);
  const Cleaned done = cleaned({kDropCorrupt, kDropMissing, kDropDuplicates});
  const auto provenance = write_cleaned(done, folder / "cleaned.yaml");
  EXPECT_EQ(provenance["sets"]["train"]["samples"], 37);
  EXPECT_EQ(provenance["sets"]["train"]["fingerprint"], "dirty");
  EXPECT_EQ(provenance["steps"][0]["sets"]["train"]["after"], 39);
  const std::string first = read_file(folder / "cleaned.provenance.json");
  (void)write_cleaned(done, folder / "cleaned.yaml");
  EXPECT_EQ(first, read_file(folder / "cleaned.provenance.json"));
  const Node config = load_yaml(folder / "cleaned.yaml");
  auto choice = TypeOf<Choice<Source>>::read(*config.find("data")->find("train"));
  EXPECT_EQ(choice.name(), "selection");
  choice = choice.with("indices", Node::scalar((folder / "cleaned.train.indices").string()));
  const auto source = registry<Source>().make(choice);
  source->open();
  EXPECT_EQ(source->size(), 37);
  EXPECT_EQ(source->describe(3), "d4");
  fs::remove_all(folder);
}

TEST(CleanWriter, KeepsWhatEverySelectionNamesInTheRun) {
  const std::string folder = testing::TempDir();
  const std::string kept = folder + "provenance.json";
  fs::remove(kept);
  write_file_durably(folder + "one.json", "[1]");
  write_file_durably(folder + "two.json", "[2]");
  const std::string one = "{selection: {provenance: " + folder + "one.json}}";
  const std::string two = "{selection: {provenance: " + folder + "two.json}}";
  std::vector<std::string> told;
  const auto keep = [&](const std::string& config) {
    keep_clean_records(parse_yaml(config, "test.yaml"), folder,
                       [&](const std::string& text) { told.push_back(text); });
  };
  keep("{train: {digits: {}}, test: {selection: {provenance: /none/x.json}}}");
  EXPECT_FALSE(fs::exists(kept));
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told[0].find("/none/x.json"), std::string::npos);
  keep("{train: {concat: [" + one + ", {repeat: {of: " + two + "}}]}, eval: " + one + "}");
  EXPECT_EQ(nlohmann::json::parse(read_file(kept)),
            (nlohmann::json{{folder + "one.json", {1}}, {folder + "two.json", {2}}}));
}

TEST(Selection, NamesTheLineThatIsWrong) {
  const std::string file = testing::TempDir() + "wrong.indices";
  const auto fault = [&](const std::string& text, const std::string& digest = "") {
    write_file_durably(file, text);
    const auto source = registry<Source>().make(
        sources::selection({.of = dirty({}), .indices = file, .digest = digest}));
    return message_of<DataError>([&] { source->open(); });
  };
  EXPECT_EQ(fault("1\n40\n"), file +
                                  ":2: '40' is not the number of a sample: 'dirty' has those "
                                  "from 0 to 39.");
  EXPECT_EQ(fault("\n1x\n"), file +
                                 ":2: '1x' is not the number of a sample: 'dirty' has those "
                                 "from 0 to 39.");
  EXPECT_EQ(fault("\n"), file + ": lists no sample.");
  EXPECT_EQ(fault("1\n", "00"),
            file +
                " is not the file that this config was made with: `digest` says so. Put that "
                "one back, or set `digest` to nothing and take this one.");
}

TEST(Selection, NoticesThatItsSourceHasOtherSamples) {
  const std::string file = testing::TempDir() + "shifted.indices";
  write_file_durably(file, "1\n");
  const auto opened = [&](int64_t samples) {
    registry<Source>()
        .make(sources::selection({.of = dirty({}), .indices = file, .samples_of_source = samples}))
        ->open();
  };
  opened(40);
  EXPECT_EQ(message_of<DataError>([&] { opened(39); }),
            file +
                ": was written for 39 samples of 'dirty', which has 40 now, so that its "
                "numbers mean other samples. Write it anew, as with `hearth data clean`, or put "
                "the data back.");
}

}  // namespace
}  // namespace hearth
